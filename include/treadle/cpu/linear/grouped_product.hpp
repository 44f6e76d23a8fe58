// The kernel of products of groups, whose sizes are known in a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <treadle/core/result.hpp>
#include <treadle/cpu/gemm/gemm.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. What belongs to no group is zero.
class GroupedProductKernel {
 public:
  Status prepare(const CallArguments& call) {
    const auto name = [&](std::size_t i) { return call.schema().arguments[i].name; };
    const TensorMeta left = call.tensor(name(0)).meta(), right = call.tensor(name(1)).meta();
    const TensorMeta& out = call.result(0);
    const auto ends = call.tensor(name(2));
    out_slot_ = call.result_slot(0);
    a_ = Matrices(left), b_ = Matrices(right), c_ = Matrices(out);
    dtype_ = out.dtype;
    m_ = c_.rows, n_ = c_.columns, k_ = a_.columns;
    const bool splits_left = left.rank() == 2, splits_right = right.rank() == 2;
    split_ = splits_left && splits_right ? Split::depths
             : splits_left               ? Split::rows
             : splits_right              ? Split::columns
                                         : Split::nothing;
    groups_ = splits_left && splits_right ? out.sizes[0]
              : splits_left               ? right.sizes[0]
                                          : left.sizes[0];
    if (!ends.is_none()) {
      ends_are_int32_ = ends.meta().dtype == DType::int32;
      if (!ends_are_int32_ && ends.meta().dtype != DType::int64)
        return call.context().fail("the ends of groups are int32 or int64, found ",
                                   treadle::name(ends.meta().dtype));
      ends_stride_ = ends.meta().strides[0];
    }
    if (!make_gemm_plan(dtype_, 1, 1, 1).is_supported)
      return call.context().fail("products of ", treadle::name(dtype_), " are not supported");
    call.context().request_scratch(largest_gemm_scratch(dtype_, m_, n_, k_));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const std::int64_t limit = split_ == Split::rows ? m_ : split_ == Split::columns ? n_ : k_;
    std::int64_t start = 0;
    for (std::int64_t g = 0; g < groups_; ++g) {
      std::int64_t end = limit;
      if (split_ != Split::nothing) {
        end = end_of(*tensors[2], g);
        if (end < start || end > limit)
          return context.fail("group ", g, " ends at ", end, ", expected from ", start, " to ",
                              limit);
      }
      multiply(context, tensors, g, start, end);
      if (split_ != Split::nothing) start = end;
    }
    if (split_ == Split::rows) clear(*tensors[out_slot_], start, m_, 0);
    if (split_ == Split::columns) clear(*tensors[out_slot_], 0, m_, start);
    return {};
  }

 private:
  /// What the groups divide.
  enum class Split : std::uint8_t { nothing, rows, columns, depths };

  /// A matrix, or one for every group; strides in elements.
  struct Matrices {
    std::int64_t rows = 0, columns = 0, step = 0, row = 0, column = 1;

    Matrices() = default;
    explicit Matrices(const TensorMeta& meta) {
      const std::size_t rank = meta.rank();
      rows = meta.sizes[rank - 2], columns = meta.sizes[rank - 1];
      row = meta.strides[rank - 2], column = meta.strides[rank - 1];
      step = rank == 3 ? meta.strides[0] : 0;
    }
    [[nodiscard]] std::int64_t at(std::int64_t group, std::int64_t i,
                                  std::int64_t j) const noexcept {
      return group * step + i * row + j * column;
    }
  };

  [[nodiscard]] std::int64_t end_of(const Tensor& ends, std::int64_t group) const noexcept {
    return ends_are_int32_ ? ends.data<std::int32_t>()[group * ends_stride_]
                           : ends.data<std::int64_t>()[group * ends_stride_];
  }

  void multiply(const RunContext<Backend>& context, Tensor* const* tensors, std::int64_t group,
                std::int64_t start, std::int64_t end) const {
    const std::int64_t row = split_ == Split::rows ? start : 0;
    const std::int64_t column = split_ == Split::columns ? start : 0;
    const std::int64_t depth = split_ == Split::depths ? start : 0;
    const GemmPlan plan = make_gemm_plan(dtype_, split_ == Split::rows ? end - start : m_,
                                         split_ == Split::columns ? end - start : n_,
                                         split_ == Split::depths ? end - start : k_);
    const auto element = static_cast<std::int64_t>(size_of(dtype_));
    const auto address = [&](std::size_t slot, std::int64_t at) {
      return tensors[slot]->bytes() + at * element;
    };
    const GemmOperand a{address(0, a_.at(group, row, depth)), a_.row, a_.column};
    const GemmOperand b{address(1, b_.at(group, depth, column)), b_.row, b_.column};
    gemm(plan, a, b, address(out_slot_, c_.at(group, row, column)), c_.row, c_.column, {},
         context.scratch(), context.parallel_for);
  }

  void clear(const Tensor& out, std::int64_t first_row, std::int64_t last_row,
             std::int64_t column) const noexcept {
    const std::size_t element = size_of(dtype_);
    for (std::int64_t i = first_row; i < last_row; ++i)
      if (column < n_)
        std::memset(out.bytes() + c_.at(0, i, column) * static_cast<std::int64_t>(element), 0,
                    static_cast<std::size_t>(n_ - column) * element);
  }

  DType dtype_ = DType::float32;
  Split split_ = Split::nothing;
  bool ends_are_int32_ = true;
  std::size_t out_slot_ = 3;
  std::int64_t groups_ = 0, m_ = 0, n_ = 0, k_ = 0, ends_stride_ = 1;
  Matrices a_, b_, c_;
};

}  // namespace treadle::inline v0::cpu
