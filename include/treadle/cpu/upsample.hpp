// CPU kernels that resample images.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `upsample_nearest1d` to `upsample_trilinear3d`.
void add_upsample_kernels(KernelRegistry<Backend>& registry);
/// `grid_sampler`, `affine_grid_generator`.
void add_grid_sampler_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> upsample_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/upsample-inl.hpp>
#endif
