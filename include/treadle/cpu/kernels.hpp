// All kernels of the stock backend.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/default_kernels.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0 {
namespace cpu {

/// Every family's kernels as one registry.
[[nodiscard]] KernelRegistry<Backend> kernels();

}  // namespace cpu

template <>
struct DefaultKernels<cpu::Backend> {
  static KernelRegistry<cpu::Backend> make() { return cpu::kernels(); }
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/cpu/kernels-inl.hpp>
#endif
