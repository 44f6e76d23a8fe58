// Operators that add elements around a tensor.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

[[nodiscard]] std::span<const OpDef> pad_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/pad-inl.hpp>
#endif
