// Vectorised arithmetic on contiguous arrays, tables of functions per instruction set.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/cpu/simd/vector_math_table.hpp>

namespace treadle::inline v0::cpu::simd {

/// The functions for `target`, in constant tables of static duration. Two of them: a program
/// without reductions does without their code.
[[nodiscard]] const VectorMaps& vector_maps(Target target) noexcept;
[[nodiscard]] const VectorReductions& vector_reductions(Target target) noexcept;

}  // namespace treadle::inline v0::cpu::simd

#if !TREADLE_COMPILED
#include <treadle/cpu/simd/isa.hpp>
#endif
