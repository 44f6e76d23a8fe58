// Binds symbols by comparing expected sizes with actual ones.
#pragma once

#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/evaluate.hpp>
#include <treadle/symbolic/sym_int.hpp>

namespace treadle::inline v0 {

/// Makes `pattern` equal to `actual`: binds the one symbol that has no value yet where the pattern
/// is linear in it (`s0`, `s0 * 2 + 1`), and checks the value where all symbols have one. False if
/// neither can be done yet: bind other sizes first, then try again. A pattern that cannot become
/// `actual` is an `invalid_argument` error.
[[nodiscard]] Result<bool> bind(const SymInt& pattern, std::int64_t actual, Bindings& bindings);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/bind-inl.hpp>
#endif
