// Kernels that are plan classes: one pair of functions serves many operators.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::cpu {

/// A kernel that is a `Plan` with `Status prepare(const CallArguments&)`, which looks at the
/// operator's name, and `Status run(RunContext<Backend>&, Tensor* const* tensors) const`. `schema`
/// is constant text.
template <class Plan>
KernelEntry<Backend> planned_kernel(std::string_view schema) {
  KernelEntry<Backend> entry;
  entry.schema = schema;
  entry.kernel = make_erased(schema);
  entry.prepare = [](const void* kernel, PrepareContext<Backend>& context) -> Result<Erased> {
    Plan plan;
    const auto text = *static_cast<const std::string_view*>(kernel);
    TREADLE_CHECK(plan.prepare(CallArguments(text, context)));
    return make_erased(std::move(plan));
  };
  entry.run = [](const void* prepared, RunContext<Backend>& context, Tensor* const* tensors) {
    return static_cast<const Plan*>(prepared)->run(context, tensors);
  };
  return entry;
}

/// Registers `Plan` for every operator of the table but views and in-place forms.
template <class Plan>
void add_planned(KernelRegistry<Backend>& registry, std::span<const OpDef> operators) {
  for (const OpDef& definition : operators)
    if (definition.functional.empty()) registry.add_entry(planned_kernel<Plan>(definition.schema));
}

}  // namespace treadle::inline v0::cpu
