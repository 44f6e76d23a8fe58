// A tensor argument as a dense or at least right-typed array, converted into scratch where needed.
#pragma once

#include <cstddef>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/cpu/tensor.hpp>

namespace treadle::inline v0::cpu {

/// Hands out pieces of a kernel's scratch, aligned to 64 bytes.
class ScratchLayout {
 public:
  std::size_t reserve(std::size_t bytes) noexcept {
    const std::size_t at = bytes_;
    bytes_ += (bytes + 63) / 64 * 64;
    return at;
  }
  /// For the elements of a dense tensor.
  std::size_t reserve(const TensorMeta& meta) noexcept {
    return reserve(static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype));
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Immutable once made; knows no addresses.
class CastOperand {
 public:
  /// Stands for None.
  CastOperand() noexcept = default;

  /// The argument in tensor slot `slot` as `dtype`; dense if `dense` says so or if it is converted.
  [[nodiscard]] static Result<CastOperand> make(const TensorMeta& meta, DType dtype, bool dense,
                                                std::size_t slot, ScratchLayout& scratch) {
    CastOperand operand;
    operand.exists_ = true;
    operand.slot_ = slot;
    operand.meta_ = meta;
    operand.converts_ = meta.dtype != dtype || (dense && !is_contiguous(meta));
    if (!operand.converts_) return operand;
    operand.meta_ = make_meta(dtype, meta.sizes);
    operand.at_ = scratch.reserve(operand.meta_);
    TREADLE_TRY(operand.copy_, ConvertCopy::make(meta, operand.meta_));
    return operand;
  }

  [[nodiscard]] bool exists() const noexcept { return exists_; }
  [[nodiscard]] bool converts() const noexcept { return converts_; }
  /// The layout of what `place` returns.
  [[nodiscard]] const TensorMeta& meta() const noexcept { return meta_; }

  /// The first element; null for None.
  [[nodiscard]] const std::byte* place(const ParallelFor& parallel_for, Tensor* const* tensors,
                                       std::byte* scratch) const {
    if (!exists_) return nullptr;
    const std::byte* from = tensors[slot_]->bytes();
    if (!converts_) return from;
    copy_.run(parallel_for, from, scratch + at_);
    return scratch + at_;
  }

 private:
  TensorMeta meta_;
  ConvertCopy copy_;
  std::size_t slot_ = 0, at_ = 0;
  bool exists_ = false, converts_ = false;
};

}  // namespace treadle::inline v0::cpu
