// The kernel of einsum and of the operators that one einsum says.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/pair_contraction.hpp>
#include <treadle/cpu/linear/product_kernel.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Operands are contracted from the left, two at a time.
class ContractionKernel {
 public:
  Status prepare(const CallArguments& call) {
    PrepareContext<Backend>& context = call.context();
    const TensorMeta& out = call.result(0);
    const std::string_view name = call.base_name();
    std::vector<TensorMeta> metas;
    collect(call, name == "addr" ? 1 : 0, metas);
    if (name == "bilinear") {
      std::swap(metas[1], metas[2]);  // as the labels have them: the weight in the middle
      std::swap(slots_[1], slots_[2]);
      metas.resize(3);  // without the bias
    }
    TREADLE_TRY(treadle::detail::EinsumLabels labels, labels_of(call, name, metas));
    ScratchLayout scratch;
    conjugates_ = (name == "vdot" || name == "linalg_vecdot") && is_complex(out.dtype);
    for (std::size_t i = 0; i < metas.size(); ++i) {
      const bool turns = conjugates_ && i == 0;
      const TensorMeta meta = metas[i];
      TREADLE_TRY(CastOperand operand,
                  CastOperand::make(meta, out.dtype, false, slots_[i], scratch));
      metas[i] = operand.meta();
      operands_.push_back(std::move(operand));
      if (!turns) continue;
      const TensorMeta dense = make_meta(out.dtype, meta.sizes);
      turned_at_ = scratch.reserve(dense);
      turned_ = CopyPlan(metas[i], dense);
      turned_count_ = element_count(meta);
      metas[i] = dense;
    }
    TREADLE_CHECK(plan_steps(context, labels, metas, out, scratch));
    TREADLE_CHECK(prepare_added(call, name, out));
    is_double_ = out.dtype == DType::complex128;
    out_slot_ = result_slot_;
    context.request_scratch(scratch.bytes());
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const ParallelFor& parallel_for = context.parallel_for;
    std::byte* const scratch = context.scratch();
    std::byte* const out = tensors[out_slot_]->bytes();
    const std::byte* left = place(0, parallel_for, tensors, scratch);
    if (adds_ && tensors[added_slot_]->bytes() != out)
      added_.run(parallel_for, tensors[added_slot_]->bytes(), out);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::byte* right =
          i + 1 < operands_.size() ? place(i + 1, parallel_for, tensors, scratch) : one_.bytes();
      const bool is_last = i + 1 == steps_.size();
      std::byte* const to = is_last ? out : scratch + steps_[i].at;
      steps_[i].pair.run(parallel_for, left, right, to, scratch,
                         is_last ? epilogue_ : GemmEpilogue());
      left = to;
    }
    if (is_truth_) to_truth(out);
    return {};
  }

 private:
  struct Step {
    PairContraction pair;
    std::size_t at = 0;  ///< of its result in scratch, unless it is the last
  };

  /// The tensor arguments from number `first` on, lists flattened.
  void collect(const CallArguments& call, std::size_t first, std::vector<TensorMeta>& metas) {
    std::size_t slot = 0;
    for (std::size_t i = 0; i < call.schema().argument_count; ++i) {
      const auto take = [&](const TensorInfo<Backend>& info) {
        if (slot >= first && !info.is_none()) {
          metas.push_back(info.meta());
          slots_.push_back(slot);
        }
        ++slot;
      };
      const auto& argument = call.context().argument(i);
      if (const auto* one = std::get_if<TensorInfo<Backend>>(&argument)) take(*one);
      if (const auto* list = std::get_if<std::vector<TensorInfo<Backend>>>(&argument))
        for (const auto& item : *list) take(item);
    }
    result_slot_ = slot;
  }

  Result<treadle::detail::EinsumLabels> labels_of(const CallArguments& call, std::string_view name,
                                                  const std::vector<TensorMeta>& metas) const {
    using treadle::detail::tensordot_labels;
    std::vector<std::size_t> ranks;
    for (const auto& meta : metas) ranks.push_back(meta.rank());
    const std::size_t a = ranks[0], b = ranks.size() > 1 ? ranks[1] : 0;
    const auto parse = [&](std::string_view equation) {
      return treadle::detail::EinsumParser(equation, ranks).parse();
    };
    if (name == "einsum") {
      const auto equation = call.get<std::string>("equation", "");
      return treadle::detail::EinsumParser(equation, ranks).parse();
    }
    if (name == "vdot") return parse("i,i->");
    if (name == "outer" || name == "ger" || name == "addr") return parse("i,j->ij");
    if (name == "bilinear") return parse("...i,oij,...j->...o");
    if (name == "linalg_multi_dot" || name == "chain_matmul")
      return treadle::detail::chain_labels(ranks);
    std::vector<std::size_t> left, right;
    if (name == "tensordot") {
      for (const auto d : call.integers("dims_self")) left.push_back(wrap_dim(d, a));
      for (const auto d : call.integers("dims_other")) right.push_back(wrap_dim(d, b));
    } else if (name == "inner" && a > 0 && b > 0) {
      left = {a - 1}, right = {b - 1};
    } else if (name == "linalg_vecdot") {
      return vecdot_labels(wrap_dim(call.get<std::int64_t>("dim", -1), std::max(a, b)), a, b);
    }
    return tensordot_labels(a, b, left, right);
  }

  /// Dimensions broadcast from the right; `dim` counts in the wider operand.
  static treadle::detail::EinsumLabels vecdot_labels(std::size_t dim, std::size_t a,
                                                     std::size_t b) {
    treadle::detail::EinsumLabels labels;
    const std::size_t rank = std::max(a, b);
    labels.operands.resize(2);
    for (std::size_t d = 0; d < rank; ++d) {
      if (d + a >= rank) labels.operands[0].push_back(static_cast<int>(d));
      if (d + b >= rank) labels.operands[1].push_back(static_cast<int>(d));
      if (d != dim) labels.out.push_back(static_cast<int>(d));
    }
    return labels;
  }

  Status plan_steps(PrepareContext<Backend>& context, const treadle::detail::EinsumLabels& labels,
                    std::vector<TensorMeta> metas, const TensorMeta& out, ScratchLayout& scratch) {
    TensorMeta left = metas[0];
    treadle::detail::Labels left_labels = labels.operands[0];
    const std::size_t count = std::max<std::size_t>(metas.size(), 2) - 1;
    if (metas.size() == 1) {
      TREADLE_TRY(one_, make_one(out.dtype));
      metas.push_back(make_meta(out.dtype, {}));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_last = i + 1 == count;
      const auto right_labels =
          i + 1 < labels.operands.size() ? labels.operands[i + 1] : treadle::detail::Labels();
      auto kept = is_last ? labels.out : kept_labels(labels, left_labels, right_labels, i + 2);
      TensorMeta to =
          is_last ? out
                  : result_meta(out.dtype, kept, left, left_labels, metas[i + 1], right_labels);
      Step step;
      step.pair =
          PairContraction::make(left, left_labels, metas[i + 1], right_labels, to, kept, scratch);
      if (!is_last) step.at = scratch.reserve(to);
      steps_.push_back(std::move(step));
      left = std::move(to);
      left_labels = std::move(kept);
    }
    for (auto& step : steps_) TREADLE_CHECK(step.pair.plan(context, scratch.bytes()));
    return {};
  }

  /// Labels of two operands that the result or a later operand needs.
  static treadle::detail::Labels kept_labels(const treadle::detail::EinsumLabels& labels,
                                             const treadle::detail::Labels& left,
                                             const treadle::detail::Labels& right,
                                             std::size_t next) {
    const auto in = [](const treadle::detail::Labels& all, int label) {
      return std::find(all.begin(), all.end(), label) != all.end();
    };
    treadle::detail::Labels kept;
    for (const auto* own : {&left, &right})
      for (const int label : *own) {
        bool is_needed = in(labels.out, label);
        for (std::size_t i = next; i < labels.operands.size(); ++i)
          is_needed |= in(labels.operands[i], label);
        if (is_needed && !in(kept, label)) kept.push_back(label);
      }
    return kept;
  }

  static TensorMeta result_meta(DType dtype, const treadle::detail::Labels& kept,
                                const TensorMeta& a, const treadle::detail::Labels& a_labels,
                                const TensorMeta& b, const treadle::detail::Labels& b_labels) {
    Dims sizes(kept.size(), 1);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto widen = [&](const TensorMeta& meta, const treadle::detail::Labels& labels) {
        for (std::size_t d = 0; d < labels.size(); ++d)
          if (labels[d] == kept[i] && meta.sizes[d] != 1) sizes[i] = meta.sizes[d];
      };
      widen(a, a_labels);
      widen(b, b_labels);
    }
    return make_meta(dtype, std::move(sizes));
  }

  static Result<Storage> make_one(DType dtype) {
    TREADLE_TRY(auto one, Storage::allocate(16));
    const std::complex<double> value = 1;
    const auto store = store_loop(compute_type(DType::complex128), dtype);
    if (!store)
      return Error(ErrorCode::type_mismatch, concat("can't contract ", name(dtype), " tensors"));
    store(reinterpret_cast<const std::byte*>(&value), 16, one.bytes(), 16, 1);
    return one;
  }

  const std::byte* place(std::size_t i, const ParallelFor& parallel_for, Tensor* const* tensors,
                         std::byte* scratch) const {
    const std::byte* from = operands_[i].place(parallel_for, tensors, scratch);
    if (i != 0 || !conjugates_) return from;
    std::byte* const to = scratch + turned_at_;
    turned_.run(parallel_for, from, to);
    for (std::int64_t j = 0; j < turned_count_; ++j)
      if (is_double_)
        reinterpret_cast<double*>(to)[2 * j + 1] *= -1;
      else
        reinterpret_cast<float*>(to)[2 * j + 1] *= -1;
    return to;
  }

  /// `addr` adds to beta · self, `bilinear` to its bias.
  Status prepare_added(const CallArguments& call, std::string_view name, const TensorMeta& out) {
    if (name != "addr" && name != "bilinear") return {};
    const std::string_view argument = name == "addr" ? "self" : "bias";
    const auto added = call.tensor(argument);
    epilogue_.alpha = call.get<Scalar>("alpha", 1);
    epilogue_.beta = call.get<Scalar>("beta", 1);
    if (out.dtype == DType::bool_) {
      is_truth_ = true;
      truth_ = out;
      epilogue_.alpha = epilogue_.alpha.to_bool() ? 1 : 0;
      epilogue_.beta = epilogue_.beta.to_bool() ? 1 : 0;
    }
    if (added.is_none() || !epilogue_.beta.to_bool()) {
      epilogue_.beta = 0;
      return {};
    }
    adds_ = true;
    added_slot_ = call.slot(argument);
    TREADLE_TRY(added_, ConvertCopy::make(detail::expanded(added.meta(), out.sizes), out));
    return {};
  }

  /// Sums of truth values count; only whether they are zero matters.
  void to_truth(std::byte* out) const {
    const std::int64_t rows = truth_.rank() == 2 ? truth_.sizes[0] : 1;
    const std::int64_t row = truth_.rank() == 2 ? truth_.strides[0] : 0;
    const std::int64_t columns = truth_.rank() == 0 ? 1 : truth_.sizes.back();
    const std::int64_t column = truth_.rank() == 0 ? 0 : truth_.strides.back();
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        std::byte& value = out[i * row + j * column];
        value = value != std::byte{} ? std::byte{1} : std::byte{};
      }
  }

  std::vector<CastOperand> operands_;
  std::vector<std::size_t> slots_;
  std::vector<Step> steps_;
  Storage one_;  ///< the factor of a lone operand
  CopyPlan turned_;
  ConvertCopy added_;
  GemmEpilogue epilogue_;  ///< of the last step
  std::size_t turned_at_ = 0, added_slot_ = 0, out_slot_ = 0, result_slot_ = 0;
  std::int64_t turned_count_ = 0;
  TensorMeta truth_;  ///< of a bool result
  bool adds_ = false, conjugates_ = false, is_double_ = false, is_truth_ = false;
};

}  // namespace treadle::inline v0::cpu
