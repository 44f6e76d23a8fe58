// CPU kernels of pooling.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `max_pool`, `avg_pool` and their adaptive forms in one to three dimensions.
[[nodiscard]] KernelRegistry<Backend> pool_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/pool-inl.hpp>
#endif
