// The tables of operators that make tensors.
#pragma once

#include <treadle/ops/creation.hpp>
#include <treadle/ops/creation/assertion.hpp>
#include <treadle/ops/creation/constant.hpp>
#include <treadle/ops/creation/random.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> creation_ops() { return detail::creation_constant_table; }
TREADLE_INLINE std::span<const OpDef> random_ops() { return detail::creation_random_table; }
TREADLE_INLINE std::span<const OpDef> assertion_ops() { return detail::creation_assertion_table; }

}  // namespace treadle::inline v0
