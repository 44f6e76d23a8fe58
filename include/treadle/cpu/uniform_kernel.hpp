// Kernels that read their calls themselves: one pair of functions for all schemas.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include <treadle/core/erased.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

template <class Kernel>
struct UniformCall {
  const Kernel* kernel;
  typename Kernel::Prepared prepared;
};

template <class Kernel>
Result<Erased> prepare_uniform(const void* object, PrepareContext<Backend>& context) {
  const auto* kernel = static_cast<const Kernel*>(object);
  TREADLE_TRY(auto prepared, kernel->prepare(context));
  return make_erased(UniformCall<Kernel>{kernel, std::move(prepared)});
}

template <class Kernel>
Status run_uniform(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& call = *static_cast<const UniformCall<Kernel>*>(state);
  return call.kernel->run(call.prepared, context, tensors);
}

}  // namespace detail

/// Registers a kernel with `Result<Prepared> prepare(PrepareContext<Backend>&) const` and `Status
/// run(const Prepared&, RunContext<Backend>&, Tensor* const* tensors) const`, whose tensors come as
/// `KernelEntry::Run` says. `schema` is constant text. For kernels of many operators, which differ
/// in arguments that only a shape rule reads: unlike `KernelRegistry::add`, it compiles them once.
template <class Kernel>
void add_uniform(KernelRegistry<Backend>& registry, std::string_view schema, Kernel kernel) {
  registry.add_entry({schema, make_erased(std::move(kernel)), &detail::prepare_uniform<Kernel>,
                      &detail::run_uniform<Kernel>});
}

/// Argument `i` of the call, a tensor.
[[nodiscard]] inline Result<TensorInfo<Backend>> tensor_argument(
    const PrepareContext<Backend>& context, std::size_t i) {
  const auto* tensor = std::get_if<TensorInfo<Backend>>(&context.argument(i));
  if (!tensor) return context.fail("argument ", i, " must be a tensor");
  return *tensor;
}

}  // namespace treadle::inline v0::cpu
