// The kernels that a backend brings with it.
#pragma once

#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0 {

/// Specialised by backends that have kernels of their own: `static KernelRegistry<Backend> make()`.
/// The stock one stands in `treadle/cpu/kernels.hpp`.
template <TensorBackend Backend>
struct DefaultKernels;

}  // namespace treadle::inline v0
