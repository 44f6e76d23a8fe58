// Definitions of linear algebra beyond products.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// Factorizations with kernels of their own, and the operators that are defined by them.
[[nodiscard]] std::span<const OpDef> linalg_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/linalg-inl.hpp>
#endif
