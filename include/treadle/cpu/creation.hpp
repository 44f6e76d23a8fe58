// Kernels that make tensors of known contents, and those that check something.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// The operators of `creation_ops()`. Tensors whose contents are unspecified are filled with zeros.
[[nodiscard]] KernelRegistry<Backend> creation_kernels();
/// The operators of `assertion_ops()`.
[[nodiscard]] KernelRegistry<Backend> assertion_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/creation-inl.hpp>
#endif
