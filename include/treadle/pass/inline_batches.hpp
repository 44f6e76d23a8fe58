// Turns the regions that `torch.vmap` leaves in a program into map operators.
#pragma once

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0 {

/// An exporter before dispatch writes `torch.vmap` as brackets, `_vmap_increment_nesting` and
/// `_vmap_decrement_nesting`, between which tensors that went through `_add_batch_dim` stand for
/// one row of a batch. Each such region, innermost first, becomes one `higher_order::map_impl`,
/// whose body holds what depends on a row. True if anything changed. A region with other brackets
/// inside, such as those of forward-mode derivatives, stays as it is, for binding to report.
[[nodiscard]] Result<bool> inline_batches(GraphBody& graph);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/inline_batches-inl.hpp>
#endif
