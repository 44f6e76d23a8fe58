// Definitions of operators that sort, search or find unique elements.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `sort`, `argsort`, `topk`, `kthvalue`, `median`, `mode`.
[[nodiscard]] std::span<const OpDef> sort_ops();
/// `searchsorted`, `bucketize`, `isin`.
[[nodiscard]] std::span<const OpDef> search_ops();
/// `_unique2`, `unique_dim`, `unique_consecutive`.
[[nodiscard]] std::span<const OpDef> unique_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/sort-inl.hpp>
#endif
