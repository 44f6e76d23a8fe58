// The stock tensor: strided elements in host memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0::cpu {

/// Bytes that tensors share. A cheap handle; the last one frees them.
class Storage {
 public:
  Storage() noexcept = default;
  Storage(std::shared_ptr<std::byte> bytes, std::size_t size) noexcept
      : bytes_(std::move(bytes)), size_(size) {}

  /// Uninitialised bytes, aligned to `alignment`.
  [[nodiscard]] static Result<Storage> allocate(std::size_t size) {
    auto* raw = static_cast<std::byte*>(
        ::operator new(size == 0 ? 1 : size, std::align_val_t{alignment}, std::nothrow));
    if (!raw) return Error(ErrorCode::out_of_memory, concat("no memory for ", size, " bytes"));
    return Storage({raw, [](std::byte* p) { ::operator delete(p, std::align_val_t{alignment}); }},
                   size);
  }

  static constexpr std::size_t alignment = 64;

  [[nodiscard]] std::byte* bytes() const noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::shared_ptr<std::byte>& owner() const noexcept { return bytes_; }

 private:
  std::shared_ptr<std::byte> bytes_;
  std::size_t size_ = 0;
};

/// A strided view of a storage. Copies share elements. Like a pointer it does not protect its
/// elements: `const` is about the handle.
class Tensor {
 public:
  /// The empty handle: no storage; see `is_empty`.
  Tensor() noexcept = default;
  /// A view of `storage`; the caller has checked that it fits.
  Tensor(Storage storage, TensorMeta meta) noexcept
      : storage_(std::move(storage)), meta_(std::move(meta)) {
    data_ =
        storage_.bytes() + meta_.storage_offset * static_cast<std::int64_t>(size_of(meta_.dtype));
  }

  /// A contiguous tensor with unspecified contents.
  [[nodiscard]] static Result<Tensor> empty(DType dtype, Dims sizes) {
    return empty(make_meta(dtype, std::move(sizes)));
  }
  /// A tensor with these strides and offset, and unspecified contents.
  [[nodiscard]] static Result<Tensor> empty(const TensorMeta& meta) {
    const auto bytes = storage_bytes(meta);
    if (!bytes)
      return Error(ErrorCode::invalid_argument,
                   concat("no tensor can have sizes ", meta.sizes, " and strides ", meta.strides));
    TREADLE_TRY(auto storage, Storage::allocate(*bytes));
    return Tensor(std::move(storage), meta);
  }
  /// A contiguous tensor of zeros.
  [[nodiscard]] static Result<Tensor> zeros(DType dtype, Dims sizes) {
    TREADLE_TRY(auto tensor, empty(dtype, std::move(sizes)));
    std::memset(tensor.storage_.bytes(), 0, tensor.storage_.size());
    return tensor;
  }
  /// A contiguous tensor with a copy of `elements`, in row-major order; their number must be the
  /// product of the sizes.
  template <class T>
  [[nodiscard]] static Result<Tensor> from(std::span<const T> elements, Dims sizes) {
    if (element_count(sizes) != static_cast<std::int64_t>(elements.size()))
      return Error(ErrorCode::invalid_argument,
                   concat("sizes ", sizes, " hold ", element_count(sizes), " elements, found ",
                          elements.size()));
    TREADLE_TRY(auto tensor, empty(dtype_of<T>(), std::move(sizes)));
    if (!elements.empty()) std::memcpy(tensor.data_, elements.data(), elements.size_bytes());
    return tensor;
  }
  template <class T>
  [[nodiscard]] static Result<Tensor> from(const std::vector<T>& elements, Dims sizes) {
    return from(std::span<const T>(elements), std::move(sizes));
  }
  template <class T>
  [[nodiscard]] static Result<Tensor> from(std::initializer_list<T> elements, Dims sizes) {
    return from(std::span<const T>(elements.begin(), elements.size()), std::move(sizes));
  }
  /// A 0-d tensor.
  template <class T>
  [[nodiscard]] static Result<Tensor> scalar(T value) {
    return from(std::span<const T>(&value, 1), {});
  }
  /// A contiguous tensor over the caller's memory, which must outlive every copy of the handle.
  template <class T>
  [[nodiscard]] static Tensor borrow(T* elements, Dims sizes) {
    auto meta = make_meta(dtype_of<std::remove_const_t<T>>(), std::move(sizes));
    auto* bytes = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(elements));
    const auto count = static_cast<std::size_t>(element_count(meta));
    return {Storage(std::shared_ptr<std::byte>(std::shared_ptr<void>(), bytes), count * sizeof(T)),
            std::move(meta)};
  }

  [[nodiscard]] bool is_empty() const noexcept { return data_ == nullptr; }
  [[nodiscard]] const TensorMeta& meta() const noexcept { return meta_; }
  [[nodiscard]] DType dtype() const noexcept { return meta_.dtype; }
  [[nodiscard]] const Dims& sizes() const noexcept { return meta_.sizes; }
  [[nodiscard]] const Dims& strides() const noexcept { return meta_.strides; }
  [[nodiscard]] std::size_t rank() const noexcept { return meta_.rank(); }
  [[nodiscard]] std::int64_t count() const noexcept { return element_count(meta_); }
  [[nodiscard]] const Storage& storage() const noexcept { return storage_; }

  /// The first element, as bytes.
  [[nodiscard]] std::byte* bytes() const noexcept { return data_; }
  /// The first element. `T` must be the element type.
  template <class T>
  [[nodiscard]] T* data() const noexcept {
    TREADLE_ASSERT(dtype_of<std::remove_const_t<T>>() == meta_.dtype, "element type of the tensor");
    return reinterpret_cast<T*>(data_);
  }
  /// All elements of a contiguous tensor.
  template <class T>
  [[nodiscard]] std::span<T> elements() const noexcept {
    TREADLE_ASSERT(is_contiguous(meta_), "a contiguous tensor");
    return {data<T>(), static_cast<std::size_t>(count())};
  }

 private:
  Storage storage_;
  std::byte* data_ = nullptr;
  TensorMeta meta_;
};

}  // namespace treadle::inline v0::cpu
