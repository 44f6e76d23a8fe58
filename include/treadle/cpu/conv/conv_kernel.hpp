// The kernel of every convolution operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/conv/conv_geometry.hpp>
#include <treadle/cpu/gemm/conv.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/shared_pack.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Tensors that are not laid out as the compute core wants them go
/// through scratch.
class ConvKernel {
 public:
  Status prepare(const CallArguments& call) {
    const auto input = call.tensor("input"), weight = call.tensor("weight");
    const auto bias = call.tensor("bias");
    input_slot_ = call.slot("input"), weight_slot_ = call.slot("weight");
    bias_slot_ = call.slot("bias"), out_slot_ = call.result_slot(0);
    PrepareContext<Backend>& context = call.context();
    const TensorMeta& out = call.result(0);
    const ConvGeometry g = detail::conv_geometry(call, input.meta(), weight.meta(), out);
    if (const char* problem = detail::conv_problem(g, weight.meta())) return context.fail(problem);
    is_empty_ = element_count(out) == 0;
    if (is_empty_) return {};
    plan_ = make_conv_plan(out.dtype, g);
    if (!plan_.is_supported)
      return context.fail("there is no convolution of ", name(out.dtype), " tensors");
    scratch_bytes_ = 0;
    core_at_ = reserve(plan_.scratch_bytes);
    prepare_input(input.meta(), g);
    copies_out_ = !is_contiguous(out);
    if (copies_out_) {
      out_at_ = reserve(bytes_of(out));
      out_copy_ = CopyPlan(make_meta(out.dtype, out.sizes), out);
    }
    has_bias_ = !bias.is_none();
    if (has_bias_ && !is_contiguous(bias.meta())) {
      bias_at_ = reserve(bytes_of(bias.meta()));
      bias_copy_ = CopyPlan(bias.meta(), make_meta(out.dtype, bias.meta().sizes));
      copies_bias_ = true;
    }
    TREADLE_CHECK(prepare_weight(context, weight));
    context.request_scratch(scratch_bytes_);
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    if (is_empty_) return {};
    const ParallelFor& parallel_for = context.parallel_for;
    std::byte* const scratch = context.scratch();
    const std::byte* input = tensors[input_slot_]->bytes();
    if (copies_input_) {
      std::byte* const copy = scratch + input_at_;
      if (padded_bytes_ != 0) std::memset(copy, 0, padded_bytes_);
      input_copy_.run(parallel_for, input, copy);
      input = copy;
    }
    const std::byte* weight = packed_.bytes();
    if (!weight) {
      weight = tensors[weight_slot_]->bytes();
      if (copies_weight_) {
        weight_copy_.run(parallel_for, weight, scratch + weight_at_);
        weight = scratch + weight_at_;
      }
      pack_weight(plan_, weight, scratch + packed_at_);
      weight = scratch + packed_at_;
    }
    ConvEpilogue epilogue;
    if (has_bias_) epilogue.bias = tensors[bias_slot_]->bytes();
    if (copies_bias_) {
      bias_copy_.run(parallel_for, tensors[bias_slot_]->bytes(), scratch + bias_at_);
      epilogue.bias = scratch + bias_at_;
    }
    std::byte* const out = tensors[out_slot_]->bytes();
    convolve(plan_, input, weight, copies_out_ ? scratch + out_at_ : out, epilogue,
             scratch ? scratch + core_at_ : nullptr, parallel_for);
    if (copies_out_) out_copy_.run(parallel_for, scratch + out_at_, out);
    return {};
  }

 private:
  static std::size_t bytes_of(const TensorMeta& meta) noexcept {
    return static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype);
  }
  /// The next piece of scratch.
  std::size_t reserve(std::size_t bytes) noexcept {
    const std::size_t at = scratch_bytes_;
    scratch_bytes_ += (bytes + 63) / 64 * 64;
    return at;
  }

  void prepare_input(const TensorMeta& input, const ConvGeometry& g) {
    TensorMeta dense = make_meta(input.dtype, input.sizes);
    const std::size_t first = input.rank() - g.rank;
    bool is_padded = false;
    for (std::size_t d = 0; d < g.rank; ++d) {
      is_padded |= dense.sizes[first + d] != g.input[d];
      dense.sizes[first + d] = g.input[d];
    }
    copies_input_ = is_padded || !is_contiguous(input);
    if (!copies_input_) return;
    dense.strides = contiguous_strides(dense.sizes);
    const std::size_t bytes = bytes_of(dense);
    input_at_ = reserve(bytes);
    padded_bytes_ = is_padded ? bytes : 0;
    dense.sizes = input.sizes;
    input_copy_ = CopyPlan(input, dense);
  }

  Status prepare_weight(PrepareContext<Backend>& context, const TensorInfo<Backend>& weight) {
    const TensorMeta dense = make_meta(weight.dtype(), weight.meta().sizes);
    const std::size_t packed_bytes = packed_weight_bytes(plan_);
    copies_weight_ = !is_contiguous(weight.meta());
    if (copies_weight_) weight_copy_ = CopyPlan(weight.meta(), dense);
    if (!weight.constant()) {
      if (copies_weight_) weight_at_ = reserve(bytes_of(dense));
      packed_at_ = reserve(std::max<std::size_t>(packed_bytes, 1));
      return {};
    }
    const Tensor& constant = *weight.constant();
    const auto pack = [&](std::byte* to) -> Status {
      if (!copies_weight_) {
        pack_weight(plan_, constant.bytes(), to);
        return {};
      }
      TREADLE_TRY(const auto copy, Storage::allocate(bytes_of(dense)));
      weight_copy_.run(constant.bytes(), copy.bytes());
      pack_weight(plan_, copy.bytes(), to);
      return {};
    };
    const std::string key =
        concat("conv ", static_cast<int>(plan_.strategy), ' ',
               static_cast<int>(plan_.product.target), ' ', to_string(weight.meta()), ' ',
               plan_.geometry.groups, ' ', plan_.product.m, ' ', plan_.product.k);
    TREADLE_TRY(packed_, shared_pack(context, constant, key, packed_bytes, pack));
    return {};
  }

  ConvPlan plan_;
  Storage packed_;  ///< the constant weight, packed
  CopyPlan input_copy_, weight_copy_, bias_copy_, out_copy_;
  std::size_t input_slot_ = 0, weight_slot_ = 0, bias_slot_ = 0, out_slot_ = 0;
  std::size_t scratch_bytes_ = 0, padded_bytes_ = 0;
  std::size_t core_at_ = 0, input_at_ = 0, weight_at_ = 0, packed_at_ = 0, bias_at_ = 0,
              out_at_ = 0;
  bool is_empty_ = false, has_bias_ = false;
  bool copies_input_ = false, copies_weight_ = false, copies_bias_ = false, copies_out_ = false;
};

}  // namespace treadle::inline v0::cpu
