// Tensors seen as dense row-major arrays of a compute type, in place where they are that already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/cpu/tensor.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// One operand of a kernel that works on dense arrays. Made by a `Packer`.
class Packed {
 public:
  /// The tensor's own bytes serve.
  Packed() noexcept = default;
  /// Through scratch at `offset`; `nest` has the side that is written first.
  Packed(std::size_t offset, LoopNest nest, ConvertLoop loop) noexcept
      : direct_(false), offset_(offset), nest_(std::move(nest)), loop_(loop) {}

  /// The elements as a dense array, converted into scratch if they have to be.
  [[nodiscard]] const void* load(const RunContext<Backend>& context, const Tensor& tensor) const {
    if (direct_) return tensor.bytes();
    std::byte* const packed = context.scratch() + offset_;
    convert(context, packed, tensor.bytes());
    return packed;
  }
  /// Where to write the elements; `store` brings them to the tensor.
  [[nodiscard]] void* target(const RunContext<Backend>& context,
                             const Tensor& tensor) const noexcept {
    return direct_ ? tensor.bytes() : context.scratch() + offset_;
  }
  void store(const RunContext<Backend>& context, const Tensor& tensor) const {
    if (!direct_) convert(context, tensor.bytes(), context.scratch() + offset_);
  }
  [[nodiscard]] bool is_direct() const noexcept { return direct_; }

 private:
  void convert(const RunContext<Backend>& context, std::byte* to, const std::byte* from) const {
    std::byte* const bases[] = {to, const_cast<std::byte*>(from)};
    const auto loop = loop_;
    for_each_run(nest_, bases, context.parallel_for, 16384,
                 [loop](std::byte* const* p, const std::int64_t* s, std::int64_t n) {
                   loop(p[1], s[1], p[0], s[0], n);
                 });
  }

  bool direct_ = true;
  std::size_t offset_ = 0;
  LoopNest nest_;
  ConvertLoop loop_ = nullptr;
};

/// Hands out the scratch of one kernel while it prepares.
class Packer {
 public:
  explicit Packer(PrepareContext<Backend>& context) noexcept : context_(&context) {}

  /// An operand that is read, its dimensions in the order given. Complex numbers are refused where
  /// the compute type is real, unless the call asks for such a conversion.
  Result<Packed> input(const TensorMeta& meta, ComputeType type,
                       const std::vector<std::size_t>& order, bool converts = false) {
    if (is_complex(meta.dtype) && !is_complex(stored_dtype(type)) && !converts)
      return context_->fail("not defined for ", name(meta.dtype));
    return pack(meta, type, order, true);
  }
  Result<Packed> input(const TensorMeta& meta, ComputeType type) {
    return input(meta, type, same_order(meta));
  }
  /// An operand that is written.
  Result<Packed> output(const TensorMeta& meta, ComputeType type,
                        const std::vector<std::size_t>& order) {
    return pack(meta, type, order, false);
  }
  Result<Packed> output(const TensorMeta& meta, ComputeType type) {
    return output(meta, type, same_order(meta));
  }
  /// Room for so many bytes; returns its offset in the scratch.
  std::size_t reserve(std::size_t bytes) {
    const std::size_t offset = used_;
    used_ += (bytes + 63) / 64 * 64;
    context_->request_scratch(used_);
    return offset;
  }

  /// The order of dimensions that puts `dim` last.
  [[nodiscard]] static std::vector<std::size_t> dim_last(std::size_t rank, std::size_t dim) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rank; ++i)
      if (i != dim) order.push_back(i);
    if (rank > 0) order.push_back(dim);
    return order;
  }

 private:
  static std::vector<std::size_t> same_order(const TensorMeta& meta) {
    std::vector<std::size_t> order(meta.rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  Result<Packed> pack(const TensorMeta& meta, ComputeType type,
                      const std::vector<std::size_t>& order, bool loads) {
    TensorMeta ordered = meta;
    for (std::size_t i = 0; i < order.size(); ++i) {
      ordered.sizes[i] = meta.sizes[order[i]];
      ordered.strides[i] = meta.strides[order[i]];
    }
    if (meta.dtype == stored_dtype(type) && is_contiguous(ordered)) return Packed();
    const auto dense = make_meta(stored_dtype(type), ordered.sizes);
    const auto loop = loads ? load_loop(meta.dtype, type) : store_loop(type, meta.dtype);
    if (!loop)
      return context_->fail("no conversion between ", name(meta.dtype), " and ", name(dense.dtype));
    const auto offset = reserve(static_cast<std::size_t>(element_count(dense)) * size_of(type));
    TREADLE_TRY(auto nest, make_nest({loads ? &dense : &ordered, loads ? &ordered : &dense}));
    return Packed(offset, std::move(nest), loop);
  }

  PrepareContext<Backend>* context_;
  std::size_t used_ = 0;
};

}  // namespace treadle::inline v0::cpu
