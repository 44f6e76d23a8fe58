// Definitions of the attention operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `scaled_dot_product_attention` and what it becomes on a CPU.
[[nodiscard]] std::span<const OpDef> attention_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/attention-inl.hpp>
#endif
