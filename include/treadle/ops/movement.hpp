// Operators that move elements into new memory: joining, repeating, flipping, triangles, patches.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

[[nodiscard]] std::span<const OpDef> movement_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/movement-inl.hpp>
#endif
