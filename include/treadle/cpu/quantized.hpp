// CPU kernels of quantisation.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// `quantized_decomposed::*` and `aten::fake_quantize_*`.
void add_quantized_kernels(KernelRegistry<Backend>& registry);
[[nodiscard]] KernelRegistry<Backend> quantized_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/quantized-inl.hpp>
#endif
