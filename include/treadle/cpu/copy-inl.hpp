// Definitions of the kernels that copy and cast.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

struct CastKernel {
  std::string_view schema;
  std::size_t source = 0;  ///< among the tensors of the call
};

struct PreparedCast {
  CastPlan plan;
  std::size_t source = 0;
  std::size_t result = 0;
};

inline Result<Erased> prepare_cast(const void* kernel, PrepareContext<Backend>& context) {
  const auto& cast = *static_cast<const CastKernel*>(kernel);
  const std::size_t arguments = parse_schema(cast.schema).argument_count;
  PreparedCast prepared;
  prepared.source = cast.source;
  const TensorInfo<Backend>* from = nullptr;
  for (std::size_t i = 0; i < arguments; ++i) {
    const auto* tensor = std::get_if<TensorInfo<Backend>>(&context.argument(i));
    if (!tensor) continue;
    if (prepared.result++ == cast.source) from = tensor;
  }
  if (!from || from->is_none()) return context.fail("there is no tensor to copy");
  TREADLE_TRY(prepared.plan, CastPlan::make(from->meta(), context.results()[0].meta()));
  return make_erased(std::move(prepared));
}

inline Status run_cast(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& prepared = *static_cast<const PreparedCast*>(state);
  prepared.plan.run(context.parallel_for, tensors[prepared.source]->bytes(),
                    tensors[prepared.result]->bytes());
  return {};
}

}  // namespace detail

TREADLE_INLINE Result<CastPlan> CastPlan::make(const TensorMeta& from, const TensorMeta& to) {
  CastPlan plan;
  plan.same_layout_ =
      from.dtype == to.dtype && from.sizes == to.sizes && from.strides == to.strides;
  if (from.dtype == to.dtype) {
    Dims strides;
    TREADLE_CHECK(detail::broadcast_strides(from, to.sizes, strides));
    plan.move_ = CopyPlan(size_of(to.dtype), to.sizes, strides, CopyPlan::byte_strides(to));
    return plan;
  }
  TREADLE_TRY(plan.nest_, make_nest({&to, &from}));
  const ComputeType reads = compute_type(from.dtype), writes = compute_type(to.dtype);
  if (to.dtype == stored_dtype(writes)) {
    plan.first_ = load_loop(from.dtype, writes);
  } else {
    // Floats keep their fractions until they are stored; integers must not pass through floats.
    const ComputeType middle = reads;
    plan.middle_size_ = static_cast<std::int64_t>(size_of(middle));
    plan.first_ = load_loop(from.dtype, middle);
    plan.second_ = store_loop(middle, to.dtype);
    if (from.dtype == stored_dtype(middle)) {
      plan.first_ = plan.second_;
      plan.second_ = nullptr;
    } else if (!plan.second_) {
      plan.first_ = nullptr;
    }
  }
  if (plan.first_) return plan;
  return Error(ErrorCode::type_mismatch,
               concat("can't convert ", name(from.dtype), " to ", name(to.dtype)));
}

TREADLE_INLINE void CastPlan::convert(std::byte* const* pointers, const std::int64_t* strides,
                                      std::int64_t n) const {
  if (!second_) return first_(pointers[1], strides[1], pointers[0], strides[0], n);
  alignas(16) std::array<std::byte, 4096> chunk;
  const std::int64_t step = static_cast<std::int64_t>(chunk.size()) / middle_size_;
  for (std::int64_t i = 0; i < n; i += step) {
    const std::int64_t m = std::min(step, n - i);
    first_(pointers[1] + i * strides[1], strides[1], chunk.data(), middle_size_, m);
    second_(chunk.data(), middle_size_, pointers[0] + i * strides[0], strides[0], m);
  }
}

TREADLE_INLINE void add_cast_kernel(KernelRegistry<Backend>& registry, std::string_view schema,
                                    std::size_t source) {
  registry.add_entry({schema, make_erased(detail::CastKernel{schema, source}),
                      &detail::prepare_cast, &detail::run_cast});
}

TREADLE_INLINE KernelRegistry<Backend> copy_kernels() {
  KernelRegistry<Backend> registry;
  for (const auto& definition : copy_ops()) {
    if (definition.name() == "aten::conj" || definition.name() == "aten::_conj") continue;
    if (definition.infer)
      add_cast_kernel(registry, definition.schema, definition.name() == "aten::copy" ? 1 : 0);
  }
  add_conjugate_kernels(registry);
  return registry;
}

}  // namespace treadle::inline v0::cpu
