// Expressions in the form that program files hold: SymPy's `srepr`.
#pragma once

#include <string>

#include <treadle/config.hpp>
#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0 {

/// `Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(1))`. Symbols `u…` are
/// integers only, `z…` are floats, all others positive integers, as PyTorch has them.
[[nodiscard]] std::string srepr(const Expr& expr);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exported/srepr-inl.hpp>
#endif
