// Reads expressions from text.
#pragma once

#include <cstddef>
#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0 {

/// Bounds of what `parse_expr` reads: bytes of text, and nested parentheses, calls and operands.
inline constexpr std::size_t max_expr_text = std::size_t{1} << 18;
inline constexpr std::size_t max_parse_depth = 512;

/// Reads an expression in either of the forms that exported programs use:
/// * SymPy's `srepr`: `Mul(Integer(2), Symbol('s0', positive=True, integer=True))`, with the
///   functions that PyTorch adds (`FloorDiv`, `PythonMod`, `CeilToInt`, `OpaqueUnaryFn_sqrt`, …);
/// * Python or SymPy text: `(s0 - s1) // 3`, `Max(1, s0)`, `s0 if s0 > 2 else 1`, `not s0 == 1`,
///   where a source such as `L['x'].size()[0]` is a symbol with that text as its name.
///
/// Errors name the column: `corrupt_file` for broken syntax, `unsupported_file` for a function that
/// has no meaning here, `limit_exceeded` for text that is too long or too deep.
[[nodiscard]] Result<Expr> parse_expr(std::string_view text);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/parse-inl.hpp>
#endif
