// The tables of sorting operators.
#pragma once

#include <treadle/ops/sort.hpp>
#include <treadle/ops/sort/search_table.hpp>
#include <treadle/ops/sort/sort_table.hpp>
#include <treadle/ops/sort/unique_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> sort_ops() { return detail::sort_table; }
TREADLE_INLINE std::span<const OpDef> search_ops() { return detail::search_table; }
TREADLE_INLINE std::span<const OpDef> unique_ops() { return detail::unique_table; }

}  // namespace treadle::inline v0
