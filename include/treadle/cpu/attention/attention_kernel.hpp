// The kernel of the attention operators.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/attention/attention_run.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Half-width operands are converted to float32 first.
class AttentionKernel {
 public:
  Status prepare(const CallArguments& call) {
    PrepareContext<Backend>& context = call.context();
    const TensorMeta& query = call.tensor("query").meta();
    const TensorMeta& out = call.result(0);
    if (!is_floating(query.dtype) || size_of(query.dtype) < 2)
      return context.fail("there is no attention of ", name(query.dtype), " tensors");
    if (call.get<double>("dropout_p", 0.0) != 0.0)
      return context.fail("attention drops nothing out, found dropout_p = ",
                          call.get<double>("dropout_p", 0.0));
    plan_.dtype = query.dtype == DType::float64 ? DType::float64 : DType::float32;
    const std::size_t rank = out.rank();
    plan_.batch = Dims(out.sizes.begin(), out.sizes.end() - 2);
    plan_.queries = out.sizes[rank - 2];
    plan_.value_width = out.sizes[rank - 1];
    plan_.width = query.sizes.back();
    const TensorMeta& key = call.tensor("key").meta();
    plan_.keys = key.sizes[key.rank() - 2];
    plan_.is_causal = call.get<bool>("is_causal", false);
    plan_.scale =
        call.get<double>("scale").value_or(1.0 / std::sqrt(static_cast<double>(plan_.width)));
    plan_.group = 1;
    if (call.get<bool>("enable_gqa", false) && key.rank() > 2 && key.sizes[key.rank() - 3] > 0)
      plan_.group = plan_.batch.back() / key.sizes[key.rank() - 3];
    plan_.plan_products();
    scratch_bytes_ = static_cast<std::size_t>(plan_.slot_bytes * plan_.slots());
    TREADLE_CHECK(prepare_operands(call));
    context.request_scratch(scratch_bytes_);
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::byte* const scratch = context.scratch();
    const auto place = [&](const Operand& operand) -> const void* {
      if (!operand.exists) return nullptr;
      const std::byte* from = tensors[operand.slot]->bytes();
      if (!operand.converts) return from;
      operand.copy.run(context.parallel_for, from, scratch + operand.at);
      return scratch + operand.at;
    };
    detail::AttentionTensors places;
    places.query = place(operands_[0]);
    places.key = place(operands_[1]);
    places.value = place(operands_[2]);
    places.mask = place(operands_[3]);
    places.mask_is_bool = mask_is_bool_;
    std::byte* const out = tensors[out_slot_]->bytes();
    places.out = converts_out_ ? scratch + out_at_ : out;
    places.sums = has_sums_ ? tensors[out_slot_ + 1]->bytes() : nullptr;
    if (plan_.dtype == DType::float64)
      run_as<double>(places, scratch, context.parallel_for);
    else
      run_as<float>(places, scratch, context.parallel_for);
    if (converts_out_) out_copy_.run(context.parallel_for, scratch + out_at_, out);
    return {};
  }

 private:
  struct Operand {
    std::size_t slot = 0, at = 0;
    bool exists = false, converts = false;
    ConvertCopy copy;
  };

  std::size_t reserve(const TensorMeta& meta) noexcept {
    const std::size_t at = scratch_bytes_;
    scratch_bytes_ +=
        (static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype) + 63) / 64 * 64;
    return at;
  }

  /// Strides against the batch dimensions of the result.
  [[nodiscard]] AttentionOperand layout(const TensorMeta& meta, bool broadcasts_rows) const {
    AttentionOperand operand;
    const std::size_t rank = meta.rank(), own = rank > 2 ? rank - 2 : 0;
    operand.batch = Dims(plan_.batch.size());
    for (std::size_t i = 0; i < own; ++i)
      operand.batch[plan_.batch.size() - own + i] = meta.sizes[i] == 1 ? 0 : meta.strides[i];
    const auto step = [&](std::size_t from_end) -> std::int64_t {
      if (rank < from_end) return 0;
      return broadcasts_rows && meta.sizes[rank - from_end] == 1 ? 0
                                                                 : meta.strides[rank - from_end];
    };
    operand.row = step(2);
    operand.column = step(1);
    return operand;
  }

  Status add_operand(const CallArguments& call, std::string_view argument, Operand& operand,
                     AttentionOperand& seen) {
    const auto info = call.tensor(argument);
    const bool is_mask = argument == "attn_mask";
    if (info.is_none()) return {};
    operand.exists = true;
    operand.slot = call.slot(argument);
    const bool keeps = is_mask && info.dtype() == DType::bool_;
    if (is_mask) mask_is_bool_ = keeps;
    operand.converts = !keeps && info.dtype() != plan_.dtype;
    if (!operand.converts) {
      seen = layout(info.meta(), is_mask);
      return {};
    }
    const TensorMeta dense = make_meta(plan_.dtype, info.meta().sizes);
    operand.at = reserve(dense);
    seen = layout(dense, is_mask);
    TREADLE_TRY(operand.copy, ConvertCopy::make(info.meta(), dense));
    return {};
  }

  Status prepare_operands(const CallArguments& call) {
    maps_ = &simd::vector_maps(simd::detect());
    reductions_ = &simd::vector_reductions(simd::detect());
    TREADLE_CHECK(add_operand(call, "query", operands_[0], plan_.query));
    TREADLE_CHECK(add_operand(call, "key", operands_[1], plan_.key));
    TREADLE_CHECK(add_operand(call, "value", operands_[2], plan_.value));
    TREADLE_CHECK(add_operand(call, "attn_mask", operands_[3], plan_.mask));
    const TensorMeta& out = call.result(0);
    out_slot_ = call.result_slot(0);
    converts_out_ = out.dtype != plan_.dtype;
    plan_.out = layout(out, false);
    if (converts_out_) {
      const TensorMeta dense = make_meta(plan_.dtype, out.sizes);
      out_at_ = reserve(dense);
      plan_.out = layout(dense, false);
      TREADLE_TRY(out_copy_, ConvertCopy::make(dense, out));
    }
    has_sums_ = call.result_count() > 1;
    if (has_sums_) {
      TensorMeta sums = call.result(1);
      sums.sizes.push_back(1);
      sums.strides.push_back(0);
      plan_.sums = layout(sums, false);
    }
    return {};
  }

  template <class T>
  void run_as(const detail::AttentionTensors& places, std::byte* scratch,
              const ParallelFor& parallel_for) const {
    const detail::RowMath<T> math(*maps_, *reductions_);
    detail::AttentionRun<T>(plan_, places, math).run(scratch, parallel_for);
  }

  AttentionPlan plan_;
  const simd::VectorMaps* maps_ = nullptr;
  const simd::VectorReductions* reductions_ = nullptr;
  Operand operands_[4];  ///< query, key, value, mask
  ConvertCopy out_copy_;
  std::size_t out_slot_ = 0, out_at_ = 0, scratch_bytes_ = 0;
  bool mask_is_bool_ = false, converts_out_ = false, has_sums_ = false;
};

}  // namespace treadle::inline v0::cpu
