// All operators that treadle defines.
#pragma once

#include <treadle/config.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Every family's operators as one set.
[[nodiscard]] OpSet standard_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/standard-inl.hpp>
#endif
