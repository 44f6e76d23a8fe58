// Operators whose results show the elements of an argument in another way.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// View operators: `view`, `permute`, `slice`, `split`, … They have no kernel, but for `reshape`,
/// `flatten`, `ravel` where the elements can't be shown in place, and complex `adjoint`.
[[nodiscard]] std::span<const OpDef> view_ops();
/// Their forms that copy: `view_copy`, `permute_copy`, …
[[nodiscard]] std::span<const OpDef> view_copy_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/view-inl.hpp>
#endif
