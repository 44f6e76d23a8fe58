// Vectorised arithmetic on contiguous float32 arrays, one table of functions per instruction set.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/cpu/simd/vector_math_table.hpp>

namespace treadle::inline v0::cpu::simd {

/// The functions for `target`, in a constant table of static duration.
[[nodiscard]] const VectorMath& vector_math(Target target) noexcept;

}  // namespace treadle::inline v0::cpu::simd

#if !TREADLE_COMPILED
#include <treadle/cpu/simd/isa.hpp>
#endif
