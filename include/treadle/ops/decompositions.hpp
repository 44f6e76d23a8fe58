// Operators that are defined by other operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// Composites without shape rules: `decompose` replaces them where no kernel is registered.
[[nodiscard]] std::span<const OpDef> composite_ops();
/// More of them: statistics, signals, fused layers, matrix norms.
[[nodiscard]] std::span<const OpDef> further_composite_ops();
/// Those that few programs have.
[[nodiscard]] std::span<const OpDef> rare_composite_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/composites-inl.hpp>
#include <treadle/ops/decompositions-inl.hpp>
#include <treadle/ops/rare_composites-inl.hpp>
#endif
