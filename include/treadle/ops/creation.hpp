// Definitions of operators that make tensors, draw random ones or check something.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// Known contents: `full`, `zeros_like`, `fill_`, `arange`, `eye` …
[[nodiscard]] std::span<const OpDef> creation_ops();
/// Random contents: `rand`, `normal_`, `bernoulli`, `dropout` …
[[nodiscard]] std::span<const OpDef> random_ops();
/// Checks at run time: `_assert_async`, `sym_constrain_range` …
[[nodiscard]] std::span<const OpDef> assertion_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/creation-inl.hpp>
#endif
