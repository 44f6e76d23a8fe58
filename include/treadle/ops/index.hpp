// Operators that read and write elements at computed places: index, gather, scatter, embedding.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

[[nodiscard]] std::span<const OpDef> index_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/index-inl.hpp>
#endif
