// The concepts that a tensor backend models.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>

#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// The least a backend must do. `Tensor` is a cheap handle: default-made it is empty, copies share
/// storage. All functions may be called from any thread.
/// - `empty(meta)`: a new tensor with these strides; contents unspecified;
/// - `meta(tensor)`: its metadata, valid as long as the tensor is; of an empty handle: anything;
/// - `copy_from_host(tensor, bytes)`, `copy_to_host(tensor, bytes)`: elements in row-major order.
/// Arithmetic is not here: it is kernels.
template <class B>
concept TensorBackend =
    std::default_initializable<typename B::Tensor> && std::copyable<typename B::Tensor> &&
    requires(B& backend, const B& constant, const typename B::Tensor& tensor,
             typename B::Tensor& target, const TensorMeta& meta, std::span<const std::byte> from,
             std::span<std::byte> to) {
      { backend.empty(meta) } -> std::same_as<Result<typename B::Tensor>>;
      { constant.meta(tensor) } -> std::convertible_to<const TensorMeta&>;
      { backend.copy_from_host(target, from) } -> std::same_as<Status>;
      { backend.copy_to_host(tensor, to) } -> std::same_as<Status>;
    };

/// Refinement: tensors may share storage, so views cost nothing and programs may write through
/// them. `view(tensor, meta)` makes a tensor over `tensor`'s storage; the offset in `meta` counts
/// elements of `meta.dtype` from the storage's start. Does not check bounds: the engine has,
/// against `storage_size(tensor)`, the bytes of the whole storage.
template <class B>
concept ViewBackend = TensorBackend<B> && requires(B& backend, const typename B::Tensor& tensor,
                                                   const TensorMeta& meta) {
  { backend.view(tensor, meta) } noexcept -> std::same_as<typename B::Tensor>;
  { backend.storage_size(tensor) } noexcept -> std::same_as<std::size_t>;
};

/// Refinement: the engine may own an arena and place tensors in it. `place(storage, offset, meta)`
/// makes a tensor at a byte offset that is a multiple of `alignment`; `meta`'s own offset is 0.
template <class B>
concept PlannableBackend =
    ViewBackend<B> && requires(B& backend, const typename B::Storage& storage, std::size_t bytes,
                               const TensorMeta& meta) {
      { B::alignment } -> std::convertible_to<std::size_t>;
      { backend.allocate(bytes) } -> std::same_as<Result<typename B::Storage>>;
      { backend.place(storage, bytes, meta) } noexcept -> std::same_as<typename B::Tensor>;
    };

/// Refinement: elements are bytes in this process. `data(tensor)` points to the first element;
/// `adopt(bytes, owner, meta)` makes a tensor over memory that `owner` keeps alive (mapped
/// weights), which nobody will write.
template <class B>
concept HostBackend =
    TensorBackend<B> &&
    requires(B& backend, const typename B::Tensor& tensor, std::span<const std::byte> bytes,
             std::shared_ptr<const void> owner, const TensorMeta& meta) {
      { backend.data(tensor) } noexcept -> std::same_as<std::byte*>;
      { backend.adopt(bytes, owner, meta) } -> std::same_as<Result<typename B::Tensor>>;
    };

/// Refinement: the arena may be the caller's memory. `borrow(bytes)` makes a storage over bytes
/// that begin at a multiple of `alignment`. They must outlive every tensor placed in them.
template <class B>
concept BorrowingBackend =
    PlannableBackend<B> && HostBackend<B> && requires(B& backend, std::span<std::byte> bytes) {
      { backend.borrow(bytes) } noexcept -> std::same_as<typename B::Storage>;
    };

/// Refinement: work is queued; results are there after `synchronize(stream)`.
template <class B>
concept StreamBackend = TensorBackend<B> && requires(B& backend, typename B::Stream& stream) {
  { backend.synchronize(stream) } -> std::same_as<Status>;
};

}  // namespace treadle::inline v0
