// Definitions of the pooling operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

[[nodiscard]] std::span<const OpDef> pool_ops();
/// Windows at pseudo-random places.
[[nodiscard]] std::span<const OpDef> fractional_pool_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/pool-inl.hpp>
#endif
