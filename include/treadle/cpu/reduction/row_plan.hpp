// Operators along one dimension, made ready: each row goes through one function on dense arrays.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu {

/// Numbers that a function on rows takes.
struct RowParameters {
  const simd::VectorReductions* math = nullptr;
  std::int64_t k = 0;  ///< how many results, or which one
  bool descending = false;
  bool sorted = true;
};

/// Computes one row: `n` dense elements in, `first` and `second` out, `work` for its own use.
using RowLoop = void (*)(const RowParameters& parameters, const void* in, void* first, void* second,
                         std::byte* work, std::int64_t n);

/// Everything about such an operator but addresses.
class RowPlan {
 public:
  struct Request {
    std::size_t dim = 0;
    bool flat = false;                        ///< all elements are one row
    ComputeType type = ComputeType::float32;  ///< of the input and the first result
    RowLoop loop = nullptr;
    RowParameters parameters;
    std::size_t work_per_element = 0;  ///< bytes of `work` for each element of a row
    bool first_is_place = false;       ///< the first result of the loop is not wanted
    std::int64_t cost = 1;             ///< of an element, in nanoseconds
  };

  Status prepare(const CallArguments& arguments, const Request& request) {
    Packer packer(arguments.context());
    parameters_ = request.parameters;
    parameters_.math = &simd::vector_reductions(simd::detect());
    loop_ = request.loop;
    const TensorMeta& input = arguments.tensor("self").meta();
    input_slot_ = arguments.slot("self");
    // An order that puts no dimension last is the order of the elements.
    const std::size_t last = request.flat ? input.rank() - 1 : request.dim;
    const auto order = Packer::dim_last(input.rank(), last);
    n_ = request.flat || input.rank() == 0 ? element_count(input) : input.sizes[request.dim];
    rows_ = 1;
    for (std::size_t d = 0; d < input.rank() && !request.flat; ++d)
      if (d != request.dim) rows_ *= input.sizes[d];
    const bool converts = arguments.get<DType>("dtype").has_value();
    TREADLE_TRY(input_, packer.input(input, request.type, order, converts));
    input_step_ = n_ * static_cast<std::int64_t>(size_of(request.type));
    const std::size_t skipped = request.first_is_place ? 1 : 0;
    for (std::size_t r = 0; r < arguments.result_count(); ++r) {
      const auto type = r + skipped == 0 ? request.type : ComputeType::int64;
      TREADLE_CHECK(add_output(arguments, packer, r, r + skipped, type, order, request.dim));
    }
    skipped_first_ = request.first_is_place;
    first_at_ = round_up(static_cast<std::int64_t>(request.work_per_element) * n_);
    work_step_ = first_at_ + (skipped_first_ ? round_up(input_step_) : 0);
    if (work_step_ > 0) work_ = packer.reserve(static_cast<std::size_t>(work_step_ * rows_));
    grain_ = std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(1, n_ * request.cost));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* in = static_cast<const std::byte*>(input_.load(context, *tensors[input_slot_]));
    std::byte* bases[2] = {};
    for (std::size_t r = 0; r < 2; ++r)
      if (outputs_[r].used)
        bases[r] =
            static_cast<std::byte*>(outputs_[r].packed.target(context, *tensors[outputs_[r].slot]));
    std::byte* const scratch = context.scratch();
    context.parallel_for(rows_, grain_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        std::byte* work = work_step_ > 0 ? scratch + work_ + i * work_step_ : nullptr;
        std::byte* first = bases[0] + i * outputs_[0].step;
        if (skipped_first_) first = work + first_at_;
        loop_(parameters_, in + i * input_step_, first, bases[1] + i * outputs_[1].step, work, n_);
      }
    });
    for (const auto& output : outputs_)
      if (output.used) output.packed.store(context, *tensors[output.slot]);
    return {};
  }

 private:
  struct Output {
    bool used = false;
    Packed packed;
    std::size_t slot = 0;
    std::int64_t step = 0;
  };

  static std::int64_t round_up(std::int64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }

  Status add_output(const CallArguments& arguments, Packer& packer, std::size_t result,
                    std::size_t place, ComputeType type, const std::vector<std::size_t>& order,
                    std::size_t dim) {
    const TensorMeta& meta = arguments.result(result);
    Output& output = outputs_[place];
    const bool same_rank = meta.rank() == order.size();
    const std::int64_t length = same_rank && meta.rank() > 0 ? meta.sizes[dim] : 1;
    output.used = true;
    output.slot = arguments.result_slot(result);
    output.step = length * static_cast<std::int64_t>(size_of(type));
    if (same_rank) {
      TREADLE_TRY(output.packed, packer.output(meta, type, order));
    } else {
      TREADLE_TRY(output.packed, packer.output(meta, type));
    }
    return {};
  }

  RowParameters parameters_;
  RowLoop loop_ = nullptr;
  Packed input_;
  std::size_t input_slot_ = 0;
  std::array<Output, 2> outputs_;
  std::int64_t n_ = 0, rows_ = 0, input_step_ = 0, work_step_ = 0, first_at_ = 0;
  std::int64_t grain_ = 1;
  std::size_t work_ = 0;
  bool skipped_first_ = false;
};

}  // namespace treadle::inline v0::cpu
