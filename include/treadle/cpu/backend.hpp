// The stock backend: tensors in host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/cpu/tensor.hpp>

namespace treadle::inline v0::cpu {

/// Models `TensorBackend` and its host refinements. Stateless; any thread may use it.
class Backend {
 public:
  using Tensor = cpu::Tensor;
  using Storage = cpu::Storage;
  static constexpr std::size_t alignment = Storage::alignment;

  Result<Tensor> empty(const TensorMeta& meta) { return Tensor::empty(meta); }
  [[nodiscard]] const TensorMeta& meta(const Tensor& tensor) const noexcept {
    return tensor.meta();
  }
  Status copy_from_host(Tensor& tensor, std::span<const std::byte> bytes) {
    TREADLE_CHECK(check_size(tensor, bytes.size()));
    const auto packed = make_meta(tensor.dtype(), tensor.sizes());
    copy_elements(bytes.data(), packed, tensor.bytes(), tensor.meta());
    return {};
  }
  Status copy_to_host(const Tensor& tensor, std::span<std::byte> bytes) {
    TREADLE_CHECK(check_size(tensor, bytes.size()));
    const auto packed = make_meta(tensor.dtype(), tensor.sizes());
    copy_elements(tensor.bytes(), tensor.meta(), bytes.data(), packed);
    return {};
  }

  Tensor view(const Tensor& tensor, const TensorMeta& meta) noexcept {
    return {tensor.storage(), meta};
  }
  [[nodiscard]] std::size_t storage_size(const Tensor& tensor) noexcept {
    return tensor.storage().size();
  }
  Result<Storage> allocate(std::size_t bytes) { return Storage::allocate(bytes); }
  Storage borrow(std::span<std::byte> bytes) noexcept {
    return {std::shared_ptr<std::byte>(std::shared_ptr<void>(), bytes.data()), bytes.size()};
  }
  Tensor place(const Storage& storage, std::size_t offset, const TensorMeta& meta) noexcept {
    auto* start = storage.bytes() + offset;
    return {Storage(std::shared_ptr<std::byte>(storage.owner(), start), storage.size() - offset),
            meta};
  }
  [[nodiscard]] std::byte* data(const Tensor& tensor) noexcept { return tensor.bytes(); }
  Result<Tensor> adopt(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                       const TensorMeta& meta) {
    const auto needed = storage_bytes(meta);
    if (!needed || *needed > bytes.size())
      return Error(
          ErrorCode::invalid_argument,
          concat("a tensor ", to_string(meta), " does not fit in ", bytes.size(), " bytes"));
    auto* start = const_cast<std::byte*>(bytes.data());
    return Tensor(
        Storage(std::shared_ptr<std::byte>(std::const_pointer_cast<void>(std::move(owner)), start),
                bytes.size()),
        meta);
  }

 private:
  static Status check_size(const Tensor& tensor, std::size_t bytes) {
    const auto expected = static_cast<std::size_t>(tensor.count()) * size_of(tensor.dtype());
    if (bytes == expected) return {};
    return Error(ErrorCode::invalid_argument, concat("tensor ", to_string(tensor.meta()), " takes ",
                                                     expected, " bytes, found ", bytes));
  }
};

static_assert(PlannableBackend<Backend> && HostBackend<Backend> && BorrowingBackend<Backend>);

}  // namespace treadle::inline v0::cpu
