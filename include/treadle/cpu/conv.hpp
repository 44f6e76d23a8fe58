// CPU kernels of convolutions.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `conv1d` to `conv3d`, their transposes and the general `convolution`.
void add_conv_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> conv_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/conv-inl.hpp>
#endif
