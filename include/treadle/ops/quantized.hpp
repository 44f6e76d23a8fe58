// Definitions of operators that quantise, dequantise or imitate both.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `quantized_decomposed::*` and `aten::fake_quantize_*`. Quantised tensors are plain integer
/// tensors; scales and zero points are arguments.
[[nodiscard]] std::span<const OpDef> quantized_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/quantized-inl.hpp>
#endif
