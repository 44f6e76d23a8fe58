// Definitions of the convolution operators.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// `conv1d` to `conv3d`, their transposes and the general `convolution`.
[[nodiscard]] std::span<const OpDef> conv_ops();

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/conv-inl.hpp>
#endif
