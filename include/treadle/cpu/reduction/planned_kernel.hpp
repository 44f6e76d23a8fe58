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

namespace detail {

/// What the functions of all plan classes share: one class of kernel objects, which names its plan
/// by how it is made, freed and prepared.
struct PlanClass {
  void* (*make)();
  void (*destroy)(const void* plan);
  Status (*prepare)(void* plan, const CallArguments& arguments);
  KernelEntry<Backend>::Run run;
};

template <class Plan>
inline constexpr PlanClass plan_class = {
    []() -> void* { return new Plan; },
    [](const void* plan) { delete static_cast<const Plan*>(plan); },
    [](void* plan, const CallArguments& arguments) {
      return static_cast<Plan*>(plan)->prepare(arguments);
    },
    [](const void* plan, RunContext<Backend>& context, Tensor* const* tensors) {
      return static_cast<const Plan*>(plan)->run(context, tensors);
    }};

struct PlannedKernel {
  const PlanClass* plan;
  std::string_view schema;
};

inline Result<Erased> prepare_plan(const void* object, PrepareContext<Backend>& context) {
  const auto& kernel = *static_cast<const PlannedKernel*>(object);
  void* const plan = kernel.plan->make();
  Erased owner(plan, kernel.plan->destroy);
  TREADLE_CHECK(kernel.plan->prepare(plan, CallArguments(kernel.schema, context)));
  return owner;
}

inline KernelEntry<Backend> plan_entry(std::string_view schema, const PlanClass& plan) {
  return {schema, make_erased(PlannedKernel{&plan, schema}), &prepare_plan, plan.run};
}

inline void add_plan_entries(KernelRegistry<Backend>& registry, std::span<const OpDef> operators,
                             const PlanClass& plan) {
  for (const OpDef& definition : operators)
    if (definition.functional.empty()) registry.add_entry(plan_entry(definition.schema, plan));
}

}  // namespace detail

/// A kernel that is a `Plan` with `Status prepare(const CallArguments&)`, which looks at the
/// operator's name, and `Status run(RunContext<Backend>&, Tensor* const* tensors) const`. `schema`
/// is constant text.
template <class Plan>
KernelEntry<Backend> planned_kernel(std::string_view schema) {
  return detail::plan_entry(schema, detail::plan_class<Plan>);
}

/// Registers `Plan` for every operator of the table but views and in-place forms.
template <class Plan>
void add_planned(KernelRegistry<Backend>& registry, std::span<const OpDef> operators) {
  detail::add_plan_entries(registry, operators, detail::plan_class<Plan>);
}

}  // namespace treadle::inline v0::cpu
