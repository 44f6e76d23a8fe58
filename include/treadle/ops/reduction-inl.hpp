// The tables of reductions and scans.
#pragma once

#include <treadle/ops/reduction.hpp>
#include <treadle/ops/reduction/class_loss_table.hpp>
#include <treadle/ops/reduction/distance_table.hpp>
#include <treadle/ops/reduction/loss_table.hpp>
#include <treadle/ops/reduction/reduction_table.hpp>
#include <treadle/ops/reduction/scan_table.hpp>
#include <treadle/ops/reduction/softmax_table.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::span<const OpDef> reduction_ops() { return detail::reduction_table; }
TREADLE_INLINE std::span<const OpDef> softmax_ops() { return detail::softmax_table; }
TREADLE_INLINE std::span<const OpDef> scan_ops() { return detail::scan_table; }
TREADLE_INLINE std::span<const OpDef> loss_ops() { return detail::loss_table; }
TREADLE_INLINE std::span<const OpDef> class_loss_ops() { return detail::class_loss_table; }
TREADLE_INLINE std::span<const OpDef> distance_ops() { return detail::distance_table; }

}  // namespace treadle::inline v0
