// The instruction sets that compute cores are compiled for.
#pragma once

#include <cstdint>

namespace treadle::inline v0::cpu::simd {

/// An instruction set. `baseline` is what the compiler's flags allow.
enum class Target : std::uint8_t { baseline, neon, avx2, avx512 };

/// The best target of this machine. Cheap (no system call, no memory of its own), meant for the
/// prepare phase; what it chose is kept in the plan. A table that was not compiled for a target
/// stands for the next lower one.
[[nodiscard]] inline Target detect() noexcept {
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (avx2 && avx512) return Target::avx512;
  return avx2 ? Target::avx2 : Target::baseline;
#elif defined(__ARM_NEON)
  return Target::neon;
#else
  return Target::baseline;
#endif
}

}  // namespace treadle::inline v0::cpu::simd
