// Prepares kernels, and makes errors of what they throw.
#pragma once

#include <exception>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/erased.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::detail {

#if defined(__cpp_exceptions)
/// What a throwing kernel threw, as an error. Call it in a handler.
inline Error current_exception_error() {
  try {
    throw;
  } catch (const std::exception& e) {
    return {ErrorCode::kernel_failed, concat("the kernel threw: ", e.what())};
  } catch (...) {
    return {ErrorCode::kernel_failed, "the kernel threw something"};
  }
}
#endif

/// What `run` of the kernel gets for this call.
template <TensorBackend Backend>
Result<Erased> prepare_kernel(const KernelEntry<Backend>& kernel,
                              PrepareContext<Backend>& context) {
#if defined(__cpp_exceptions)
  try {
    return kernel.prepare(kernel.kernel.get(), context);
  } catch (...) {
    return current_exception_error();
  }
#else
  return kernel.prepare(kernel.kernel.get(), context);
#endif
}

}  // namespace treadle::inline v0::detail
