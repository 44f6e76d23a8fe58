// The arithmetic of the gates of recurrent cells.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu {

enum class CellKind : std::uint8_t { rnn_relu, rnn_tanh, lstm, gru };

/// Gates of a cell.
[[nodiscard]] constexpr std::int64_t gate_count(CellKind kind) noexcept {
  return kind == CellKind::lstm ? 4 : kind == CellKind::gru ? 3 : 1;
}

namespace detail {

/// Array functions for float (vectorised) and double.
template <class T>
class GateMath {
 public:
  explicit GateMath(const simd::VectorMaps& math) noexcept : math_(&math) {}

  void sigmoid(const T* in, T* out, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>)
      math_->sigmoid(in, out, n);
    else
      for (std::size_t i = 0; i < n; ++i) out[i] = T{1} / (T{1} + std::exp(-in[i]));
  }
  void tanh(const T* in, T* out, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>)
      math_->tanh(in, out, n);
    else
      for (std::size_t i = 0; i < n; ++i) out[i] = std::tanh(in[i]);
  }
  void relu(const T* in, T* out, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i] < T{0} ? T{0} : in[i];
  }
  void add(const T* a, const T* b, T* out, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
  }
  /// out = a · b + c
  void fma(const T* a, const T* b, const T* c, T* out, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>)
      math_->fma(a, b, c, out, n);
    else
      for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i] + c[i];
  }
  void mul(const T* a, const T* b, T* out, std::size_t n) const {
    if constexpr (std::is_same_v<T, float>)
      math_->mul(a, b, out, n);
    else
      for (std::size_t i = 0; i < n; ++i) out[i] = a[i] * b[i];
  }
  void sub(const T* a, const T* b, T* out, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = a[i] - b[i];
  }

  /// `gates` holds i, f, g, o before their activations and is overwritten; `cell` is updated and
  /// `out` becomes o · tanh(cell).
  void lstm(T* gates, T* cell, T* out, std::size_t n) const {
    T *const i = gates, *const f = gates + n, *const g = f + n, *const o = g + n;
    sigmoid(i, i, 2 * n);
    tanh(g, g, n);
    sigmoid(o, o, n);
    mul(i, g, g, n);
    fma(f, cell, g, cell, n);
    tanh(cell, g, n);
    mul(o, g, out, n);
  }
  /// `input` and `state` hold r, z, n of the input's and of the state's product and are
  /// overwritten; `hidden` is updated.
  void gru(T* input, T* state, T* hidden, std::size_t n) const {
    T *const r = input, *const z = input + n, *const fresh = z + n;
    add(input, state, input, 2 * n);
    sigmoid(input, input, 2 * n);
    fma(r, state + 2 * n, fresh, fresh, n);
    tanh(fresh, fresh, n);
    sub(hidden, fresh, hidden, n);
    fma(z, hidden, fresh, hidden, n);
  }

 private:
  const simd::VectorMaps* math_;
};

}  // namespace detail
}  // namespace treadle::inline v0::cpu
