// CPU kernels that count, pick boxes or take numbers apart.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `bincount`, `frexp`, `torchvision::nms`.
[[nodiscard]] KernelRegistry<Backend> counting_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/counting-inl.hpp>
#endif
