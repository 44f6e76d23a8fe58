// Weighted sums of shifted rows: the core of depthwise convolution.
#pragma once

#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu::simd {

/// out[i] = bounded(bias + Σ_t weights[t] · in[offsets[t] + i]) for i in [0, count).
template <class T>
struct TapSum {
  const T* in = nullptr;
  const std::int64_t* offsets = nullptr;
  const T* weights = nullptr;
  std::int64_t taps = 0;
  T bias = 0;
  bool has_bounds = false;
  T low = 0;
  T high = 0;
};
template <class T>
using TapFunction = void (*)(const TapSum<T>& sum, T* out, std::int64_t count);

}  // namespace treadle::inline v0::cpu::simd
