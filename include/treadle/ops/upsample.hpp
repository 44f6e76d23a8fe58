// Definitions of the operators that resample images.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `upsample_*`, `grid_sampler` and `affine_grid_generator`.
[[nodiscard]] std::span<const OpDef> upsample_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/upsample-inl.hpp>
#endif
