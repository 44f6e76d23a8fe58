// The kernel of `affine_grid_generator`: where an affine map takes the points of an image.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/cast_operand.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Computed in double precision.
class AffineGridKernel {
 public:
  Status prepare(const CallArguments& call) {
    const TensorMeta& out = call.result(0);
    if (!is_floating(out.dtype) || size_of(out.dtype) < 2)
      return call.context().fail("there is no grid of ", name(out.dtype), " numbers");
    ScratchLayout scratch;
    const DType dtype = DType::float64;
    TREADLE_TRY(theta_, CastOperand::make(call.tensor("theta").meta(), dtype, true, 0, scratch));
    align_corners_ = call.get<bool>("align_corners", false);
    out_ = make_meta(dtype, out.sizes);
    out_at_ = scratch.reserve(out_);
    TREADLE_TRY(out_copy_, ConvertCopy::make(out_, out));
    call.context().request_scratch(scratch.bytes());
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::byte* const scratch = context.scratch();
    const auto* theta =
        reinterpret_cast<const double*>(theta_.place(context.parallel_for, tensors, scratch));
    auto* out = reinterpret_cast<double*>(scratch + out_at_);
    const auto dims = static_cast<std::size_t>(out_.sizes.back());
    std::int64_t points = 1;
    for (std::size_t d = 0; d < dims; ++d) points *= out_.sizes[1 + d];
    for (std::int64_t i = 0; i < out_.sizes[0] * points; ++i, out += dims)
      map(theta + static_cast<std::size_t>(i / points) * dims * (dims + 1), i % points, dims, out);
    out_copy_.run(context.parallel_for, scratch + out_at_, tensors[1]->bytes());
    return {};
  }

 private:
  /// Coordinates of the grid start with the innermost dimension.
  void map(const double* theta, std::int64_t point, std::size_t dims, double* out) const {
    double from[3] = {};
    for (std::size_t d = 0; d < dims; ++d) {
      const std::int64_t size = out_.sizes[dims - d];
      from[d] = coordinate(point % size, size);
      point /= size;
    }
    for (std::size_t r = 0; r < dims; ++r) {
      const double* row = theta + r * (dims + 1);
      out[r] = row[dims];
      for (std::size_t d = 0; d < dims; ++d) out[r] += row[d] * from[d];
    }
  }
  [[nodiscard]] double coordinate(std::int64_t i, std::int64_t size) const noexcept {
    if (size <= 1) return 0;
    const auto n = static_cast<double>(size);
    const double x = -1 + 2 * static_cast<double>(i) / (n - 1);
    return align_corners_ ? x : x * (n - 1) / n;
  }

  CastOperand theta_;
  ConvertCopy out_copy_;
  TensorMeta out_;
  std::size_t out_at_ = 0;
  bool align_corners_ = false;
};

}  // namespace treadle::inline v0::cpu
