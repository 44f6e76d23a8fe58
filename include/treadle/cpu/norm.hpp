// CPU kernels that normalise.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `layer_norm`, `rms_norm`, `batch_norm`, `group_norm`, `instance_norm` and their native forms.
[[nodiscard]] KernelRegistry<Backend> norm_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/norm-inl.hpp>
#endif
