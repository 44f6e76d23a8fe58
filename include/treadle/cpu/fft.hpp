// CPU kernels of Fourier transforms.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `fft_fft` and its relatives, shifts and frequencies.
void add_fft_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> fft_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/fft-inl.hpp>
#endif
