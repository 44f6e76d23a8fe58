// Kernels that draw random numbers.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// The operators of `random_ops()`. They draw from the run's random state, one element after the
/// other in the order of the output's memory, so a seed gives the same numbers on any scheduler.
/// The numbers are not PyTorch's.
[[nodiscard]] KernelRegistry<Backend> random_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/random-inl.hpp>
#endif
