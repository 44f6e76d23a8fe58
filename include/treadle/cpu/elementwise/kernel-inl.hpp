// Definitions of the elementwise kernel: from a call's arguments to its plan.
#pragma once

#include <array>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/cpu/elementwise/plan-inl.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/kernel/decode.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// The element of a 0-d tensor whose contents never change.
inline std::optional<Scalar> constant_number(const TensorInfo<Backend>& info) {
  const Tensor* tensor = info.constant();
  if (!tensor || tensor->rank() != 0 || tensor->is_empty()) return std::nullopt;
  const auto read = [&](ComputeType type, auto& value) {
    const ConvertLoop load = load_loop(tensor->dtype(), type);
    if (load) load(tensor->bytes(), 0, reinterpret_cast<std::byte*>(&value), 0, 1);
    return load != nullptr;
  };
  if (is_complex(tensor->dtype())) {
    std::complex<double> value;
    if (read(ComputeType::complex128, value)) return Scalar(value);
  } else if (is_floating(tensor->dtype())) {
    double value = 0;
    if (read(ComputeType::float64, value)) return Scalar(value);
  } else {
    std::int64_t value = 0;
    const bool good = read(ComputeType::int64, value);
    if (good && tensor->dtype() == DType::bool_) return Scalar(value != 0);
    if (good) return Scalar(value);
  }
  return std::nullopt;
}

/// Where argument `i` starts among the tensors of the call.
inline std::size_t tensor_slot(const PrepareContext<Backend>& context, std::size_t i) {
  std::size_t slot = 0;
  for (std::size_t k = 0; k < i; ++k) {
    if (const auto* list = std::get_if<std::vector<TensorInfo<Backend>>>(&context.argument(k)))
      slot += list->size();
    else if (std::holds_alternative<TensorInfo<Backend>>(context.argument(k)))
      ++slot;
  }
  return slot;
}

inline Result<Erased> prepare_elementwise(const void* kernel, PrepareContext<Backend>& context) {
  ElementwisePlanner planner(*static_cast<const ElementwiseKernel*>(kernel), context);
  TREADLE_TRY(auto plan, planner.plan());
  return make_erased(std::move(plan));
}

inline Status run_elementwise(const void* prepared, RunContext<Backend>& context,
                              Tensor* const* tensors) {
  return static_cast<const ElementwisePlan*>(prepared)->run(context.parallel_for, tensors);
}

}  // namespace detail

TREADLE_INLINE std::optional<Scalar> ElementwisePlanner::number(std::size_t i) const noexcept {
  const auto* c = std::get_if<Constant>(&context.argument(i));
  return c ? treadle::detail::as_scalar(*c) : std::nullopt;
}

TREADLE_INLINE std::optional<Scalar> ElementwisePlanner::operand_number(
    std::size_t j) const noexcept {
  return sources_[j].number ? sources_[j].number : detail::constant_number(sources_[j].tensor);
}

TREADLE_INLINE Status ElementwisePlanner::read_arguments() {
  std::size_t next_parameter = 0;
  for (std::size_t i = 0; i < kernel_.roles.size(); ++i) {
    const char role = kernel_.roles[i];
    if (role == 'p') {
      const auto value = number(i);
      if (value) parameters.set(next_parameter, *value);
      ++next_parameter;
    } else if ((role >= '0' && role <= '2') || role == 'b' || role == 'c') {
      const bool optional = role > '2';
      Source& source = sources_[static_cast<std::size_t>(role - (optional ? 'a' : '0'))];
      source.number = number(i);
      source.slot = detail::tensor_slot(context, i);
      if (const auto* info = std::get_if<TensorInfo<Backend>>(&context.argument(i)))
        source.tensor = *info;
      if (!optional && !source.number && source.tensor.is_none())
        return context.fail("argument ", i, " must be a tensor or a number");
    }
  }
  tensor_count_ = 0;
  for (std::size_t i = 0; parse_schema(kernel_.schema).argument_count > i; ++i)
    tensor_count_ = detail::tensor_slot(context, i + 1);
  return {};
}

namespace detail {
constexpr bool is_half(DType dtype) noexcept {
  return dtype == DType::float16 || dtype == DType::bfloat16;
}
}  // namespace detail

TREADLE_INLINE Status ElementwisePlanner::choose_compute_type() {
  Promotion promotion;
  for (const auto& source : sources_) {
    if (source.number)
      promotion.add_number(source.number->category());
    else if (!source.tensor.is_none())
      promotion.add_tensor(source.tensor.dtype(), source.tensor.meta().rank() == 0);
  }
  promoted = promotion.result();
  DType dtype = kernel_.in_floats ? to_float_dtype(promoted) : promoted;
  common_ = dtype;
  const DType result = context.results()[0].dtype();
  const bool narrows = category(result) < category(dtype);
  if (!op.predicate && !narrows && result != DType::bool_) dtype = promote_types(dtype, result);
  compute = compute_type(dtype);
  if (narrows && !op.predicate && !op.real_result && !kernel_.narrows)
    return context.fail("a result of dtype ", name(dtype), " can't be stored as ", name(result));
  return {};
}

TREADLE_INLINE void ElementwisePlanner::set_number(ElementwisePlan::Operand& operand,
                                                   const Scalar& value) const {
  const auto keep = [&](auto v) { std::memcpy(operand.number.data(), &v, sizeof(v)); };
  switch (compute) {
    case ComputeType::int64: keep(in_common_dtype(value).to_int()); break;
    case ComputeType::float32:
      keep(static_cast<float>((op.rounds ? in_common_dtype(value) : value).to_double()));
      break;
    case ComputeType::float64: keep(value.to_double()); break;
    default: keep(value.to_complex()); break;
  }
}

TREADLE_INLINE Scalar ElementwisePlanner::in_common_dtype(const Scalar& value) const {
  std::array<std::byte, 16> stored{};
  const auto through = [&](auto number) {
    auto* bytes = reinterpret_cast<std::byte*>(&number);
    store_loop(compute, common_)(bytes, 0, stored.data(), 0, 1);
    load_loop(common_, compute)(stored.data(), 0, bytes, 0, 1);
    return number;
  };
  if (compute == ComputeType::int64 && is_integral(common_)) return Scalar(through(value.to_int()));
  if (compute == ComputeType::float32 && detail::is_half(common_))
    return Scalar(static_cast<double>(through(static_cast<float>(value.to_double()))));
  return value;
}

/// Does an operand of this dtype change when it becomes one of the common dtype?
TREADLE_INLINE bool ElementwisePlanner::loses_digits(DType dtype) const noexcept {
  if (!op.rounds || dtype == common_) return false;
  if (compute == ComputeType::int64 && is_integral(common_))
    return promote_types(dtype, common_) != common_;
  if (compute != ComputeType::float32 || !detail::is_half(common_)) return false;
  return promote_types(dtype, common_) != common_ || (is_integral(dtype) && size_of(dtype) > 1);
}

TREADLE_INLINE Status ElementwisePlanner::place_operand(ElementwisePlan& plan, std::size_t j) {
  const Source& source = sources_[j];
  auto& operand = plan.operands[j];
  if (const auto value = operand_number(j)) {
    set_number(operand, *value);
    return {};
  }
  const DType dtype = source.tensor.dtype();
  operand.nest_index = static_cast<std::uint8_t>(plan.nest.operands);
  plan.offsets[plan.nest.operands] = source.offset;
  plan.slots[plan.nest.operands++] = static_cast<std::uint8_t>(source.slot);
  operand.load = load_loop(dtype, compute);
  if (!operand.load) return context.fail("elements of dtype ", name(dtype), " can't be computed");
  if (loses_digits(dtype)) {
    operand.narrow = store_loop(compute, common_);
    operand.widen = load_loop(common_, compute);
    plan.narrow_size = static_cast<std::uint8_t>(size_of(common_));
  }
  return {};
}

TREADLE_INLINE Result<ElementwisePlan> ElementwisePlanner::build() {
  ElementwisePlan plan;
  plan.arity = op.arity;
  plan.loop = op.loop(compute);
  if (!plan.loop) return context.fail("not defined for elements of dtype ", name(promoted));
  plan.parameters = parameters;
  plan.nest.operands = 1;
  plan.slots[0] = static_cast<std::uint8_t>(tensor_count_);
  for (std::size_t j = 0; j < op.arity; ++j) TREADLE_CHECK(place_operand(plan, j));
  const TensorMeta& out = context.results()[0].meta();
  std::array<const TensorMeta*, LoopNest::max_operands> metas = {&out};
  for (std::size_t j = 0; j < op.arity; ++j)
    if (plan.operands[j].nest_index != 0) metas[plan.operands[j].nest_index] = &sources_[j].meta();
  TREADLE_TRY(plan.nest, make_nest(std::span(metas.data(), plan.nest.operands)));
  ComputeType result = compute;
  if (op.predicate) result = ComputeType::boolean;
  if (op.real_result && compute == ComputeType::complex128) result = ComputeType::float64;
  plan.operand_size = static_cast<std::uint8_t>(size_of(compute));
  plan.result_size = static_cast<std::uint8_t>(size_of(result));
  plan.store = store_loop(result, out.dtype);
  if (!plan.store) return context.fail("results of dtype ", name(out.dtype), " can't be stored");
  bool all_float32 = out.dtype == DType::float32 && compute == ComputeType::float32;
  if (out.dtype == stored_dtype(result) && plan.nest.is_dense(0, out.dtype)) plan.store = nullptr;
  for (std::size_t j = 0; j < op.arity; ++j) {
    auto& operand = plan.operands[j];
    if (operand.nest_index == 0) continue;
    const DType dtype = metas[operand.nest_index]->dtype;
    all_float32 &= dtype == DType::float32;
    if (!operand.narrow && dtype == stored_dtype(compute) &&
        plan.nest.is_dense(operand.nest_index, dtype))
      operand.load = nullptr;
  }
  plan.check_zero = op.divides && compute == ComputeType::int64;
  plan.grain = op.costly ? 4096 : 32768;
  plan.choose_range();
  if (!all_float32) return plan;
  const auto& table = simd::vector_maps(simd::detect());
  if (op.unary) plan.unary = table.*op.unary;
  if (op.binary) plan.binary = table.*op.binary;
  const auto range = detail::table_range(plan, op.scalar_first ? table.*op.scalar_first : nullptr,
                                         op.scalar_second ? table.*op.scalar_second : nullptr);
  if (range) plan.range = range;
  return plan;
}

TREADLE_INLINE Result<ElementwisePlan> ElementwisePlanner::plan() {
  TREADLE_CHECK(read_arguments());
  TREADLE_CHECK(choose_compute_type());
  if (kernel_.adjust) TREADLE_CHECK(kernel_.adjust(*this));
  return build();
}

TREADLE_INLINE ElementwiseTable& ElementwiseTable::add(std::string_view name,
                                                       ElementwiseKernel kernel) {
  for (const auto& definition : definitions_) {
    const std::string_view full = definition.name();
    if (!full.starts_with(name) || (full.size() > name.size() && full[name.size()] != '.'))
      continue;
    kernel.schema = definition.schema;
    registry_.add_entry({kernel.schema, make_erased(kernel), &detail::prepare_elementwise,
                         &detail::run_elementwise, true});
  }
  return *this;
}

}  // namespace treadle::inline v0::cpu
