// Backends for tests: the least that the concept allows, and one whose memory runs out.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/cpu/backend.hpp>

namespace test {

/// Exactly `TensorBackend`: contiguous elements in a vector, no views, no arena, no addresses.
class MinimalBackend {
 public:
  struct Tensor {
    std::shared_ptr<std::vector<std::byte>> bytes;
    treadle::TensorMeta meta;

    template <class T>
    [[nodiscard]] T* data() const {
      return reinterpret_cast<T*>(bytes->data());
    }
  };

  treadle::Result<Tensor> empty(const treadle::TensorMeta& meta) {
    const auto packed = treadle::make_meta(meta.dtype, meta.sizes);
    const auto count = static_cast<std::size_t>(treadle::element_count(packed));
    return Tensor{std::make_shared<std::vector<std::byte>>(count * treadle::size_of(meta.dtype)),
                  packed};
  }
  [[nodiscard]] const treadle::TensorMeta& meta(const Tensor& tensor) const { return tensor.meta; }
  treadle::Status copy_from_host(Tensor& tensor, std::span<const std::byte> from) {
    if (from.size() != tensor.bytes->size()) return wrong_size(from.size(), *tensor.bytes);
    std::memcpy(tensor.bytes->data(), from.data(), from.size());
    return {};
  }
  treadle::Status copy_to_host(const Tensor& tensor, std::span<std::byte> to) {
    if (to.size() != tensor.bytes->size()) return wrong_size(to.size(), *tensor.bytes);
    std::memcpy(to.data(), tensor.bytes->data(), to.size());
    return {};
  }

 private:
  static treadle::Error wrong_size(std::size_t found, const std::vector<std::byte>& bytes) {
    return {treadle::ErrorCode::invalid_argument,
            treadle::concat("expected ", bytes.size(), " bytes, found ", found)};
  }
};

static_assert(treadle::TensorBackend<MinimalBackend>);
static_assert(!treadle::ViewBackend<MinimalBackend> && !treadle::HostBackend<MinimalBackend>);

/// The stock backend until its n-th allocation, which fails, as do all that follow.
class FailingBackend : public treadle::cpu::Backend {
 public:
  FailingBackend() = default;
  explicit FailingBackend(int allocations) : left_(std::make_shared<int>(allocations)) {}
  /// From now on this many allocations of all copies of this backend succeed.
  void allow(int allocations) { *left_ = allocations; }

  treadle::Result<Tensor> empty(const treadle::TensorMeta& meta) {
    if (!allowed()) return failure();
    return Backend::empty(meta);
  }
  treadle::Result<Storage> allocate(std::size_t bytes) {
    if (!allowed()) return failure();
    return Backend::allocate(bytes);
  }

 private:
  [[nodiscard]] bool allowed() const { return !left_ || (*left_)-- > 0; }
  static treadle::Error failure() {
    return {treadle::ErrorCode::out_of_memory, "the test's memory ran out"};
  }
  std::shared_ptr<int> left_;
};

static_assert(treadle::PlannableBackend<FailingBackend> && treadle::HostBackend<FailingBackend>);

}  // namespace test
