// The folds of sums, extremes, logic and products.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <treadle/cpu/reduction/reducer.hpp>

namespace treadle::inline v0::cpu::detail {

template <class T>
inline constexpr bool is_complex_number = std::is_same_v<T, std::complex<double>>;

/// What elements of `T` are added up in.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
template <class T>
using RealOf = std::conditional_t<is_complex_number<T>, double, T>;

template <class T>
bool is_not_a_number(T x) noexcept {
  if constexpr (std::is_integral_v<T>)
    return false;
  else if constexpr (is_complex_number<T>)
    return x.real() != x.real() || x.imag() != x.imag();
  else
    return x != x;
}

template <class T>
Wide<T> sum_of(const ReduceParameters& p, const T* in, std::int64_t n) {
  if constexpr (std::is_same_v<T, float>)
    return p.math->sum(in, static_cast<std::size_t>(n));
  else if constexpr (std::is_same_v<T, double>)
    return p.math->sum_f64(in, static_cast<std::size_t>(n));
  T sum{};
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<T>)
      sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(in[i]));
    else
      sum += in[i];
  }
  return static_cast<Wide<T>>(sum);
}

template <class W>
void add_to(W& sum, W value) noexcept {
  if constexpr (std::is_integral_v<W>)
    sum = static_cast<W>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
  else
    sum += value;
}

template <class T>
struct SumFold {
  using Element = T;
  using State = Wide<T>;
  using First = T;
  using Second = T;
  static State start() { return {}; }
  static void fold(const ReduceParameters& p, State& s, const T* in, std::int64_t n) {
    add_to(s, sum_of(p, in, n));
  }
  static void row(State& s, T x) { add_to(s, static_cast<State>(x)); }
  static void rows(const ReduceParameters& p, State* s, const std::byte* first, std::int64_t stride,
                   std::int64_t count, std::int64_t n)
    requires std::is_same_v<T, float>
  {
    p.math->sum_columns(s, reinterpret_cast<const float*>(first),
                        stride / static_cast<std::int64_t>(sizeof(float)),
                        static_cast<std::size_t>(count), static_cast<std::size_t>(n));
  }
  static void finish(const ReduceParameters& p, const State& s, First* out, Second*) {
    if constexpr (std::is_integral_v<T>)
      *out = s;
    else
      *out = static_cast<T>(p.mean ? s / static_cast<RealOf<State>>(p.count) : s);
  }
};

/// Sums, or means, of what is not NaN.
template <class T>
struct NanSumFold {
  using Element = T;
  struct State {
    Wide<T> sum;
    std::int64_t count;
  };
  using First = T;
  using Second = T;
  static State start() { return {}; }
  static void row(State& s, T x) {
    if (is_not_a_number(x)) return;
    add_to(s.sum, static_cast<Wide<T>>(x));
    ++s.count;
  }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
  static void finish(const ReduceParameters& p, const State& s, First* out, Second*) {
    if constexpr (std::is_integral_v<T>)
      *out = s.sum;
    else
      *out = static_cast<T>(p.mean ? s.sum / static_cast<RealOf<Wide<T>>>(s.count) : s.sum);
  }
};

template <class T>
struct ProductFold {
  using Element = T;
  using State = Wide<T>;
  using First = T;
  using Second = T;
  static State start() { return State(1); }
  static void row(State& s, T x) {
    if constexpr (std::is_integral_v<T>)
      s = static_cast<T>(static_cast<std::uint64_t>(s) * static_cast<std::uint64_t>(x));
    else
      s *= static_cast<State>(x);
  }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
  static void finish(const ReduceParameters&, const State& s, First* out, Second*) {
    *out = static_cast<T>(s);
  }
};

template <class T>
constexpr T lowest_value() noexcept {
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::min();
  else
    return -std::numeric_limits<T>::infinity();
}
template <class T>
constexpr T highest_value() noexcept {
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::max();
  else
    return std::numeric_limits<T>::infinity();
}

/// Smallest or largest element; NaN wins.
template <class T, bool Largest>
struct ExtremeFold {
  using Element = T;
  using State = T;
  using First = T;
  using Second = T;
  static State start() { return Largest ? lowest_value<T>() : highest_value<T>(); }
  static void row(State& s, T x) {
    const bool better = Largest ? x > s : x < s;
    s = better || is_not_a_number(x) ? x : s;
  }
  static void fold(const ReduceParameters& p, State& s, const T* in, std::int64_t n) {
    if constexpr (std::is_same_v<T, float>) {
      const auto count = static_cast<std::size_t>(n);
      row(s, Largest ? p.math->reduce_max(in, count) : p.math->reduce_min(in, count));
    } else {
      for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
    }
  }
  static void finish(const ReduceParameters&, const State& s, First* out, Second*) { *out = s; }
};
template <class T>
struct MaxFold : ExtremeFold<T, true> {};
template <class T>
struct MinFold : ExtremeFold<T, false> {};

template <class T>
struct MinMaxFold {
  using Element = T;
  struct State {
    T low, high;
  };
  using First = T;
  using Second = T;
  static State start() { return {highest_value<T>(), lowest_value<T>()}; }
  static void fold(const ReduceParameters& p, State& s, const T* in, std::int64_t n) {
    MinFold<T>::fold(p, s.low, in, n);
    MaxFold<T>::fold(p, s.high, in, n);
  }
  static void row(State& s, T x) {
    MinFold<T>::row(s.low, x);
    MaxFold<T>::row(s.high, x);
  }
  static void finish(const ReduceParameters&, const State& s, First* low, Second* high) {
    *low = s.low;
    *high = s.high;
  }
};

/// The extreme element and its first place; the first NaN wins.
template <class T, bool Largest>
struct ArgExtremeFold {
  using Element = T;
  struct State {
    T best;
    std::int64_t place;
    std::int64_t seen;
  };
  using First = T;
  using Second = std::int64_t;
  static State start() { return {Largest ? lowest_value<T>() : highest_value<T>(), 0, 0}; }
  static void row(State& s, T x) {
    const bool better = Largest ? x > s.best : x < s.best;
    if (s.seen == 0 || ((better || is_not_a_number(x)) && !is_not_a_number(s.best))) {
      s.best = x;
      s.place = s.seen;
    }
    ++s.seen;
  }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
  static void finish(const ReduceParameters&, const State& s, First* out, Second* place) {
    *out = s.best;
    *place = s.place;
  }
};
template <class T>
struct ArgMaxFold : ArgExtremeFold<T, true> {};
template <class T>
struct ArgMinFold : ArgExtremeFold<T, false> {};

template <class T>
struct CountFold {
  using Element = T;
  using State = std::int64_t;
  using First = std::int64_t;
  using Second = std::int64_t;
  static State start() { return 0; }
  static void row(State& s, T x) { s += x != T{}; }
  static void fold(const ReduceParameters&, State& s, const T* in, std::int64_t n) {
    State count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += in[i] != T{};
    s += count;
  }
  static void finish(const ReduceParameters&, const State& s, First* out, Second*) { *out = s; }
};
template <class T>
struct AnyFold : CountFold<T> {
  static void finish(const ReduceParameters&, const std::int64_t& s, std::int64_t* out,
                     std::int64_t*) {
    *out = s != 0;
  }
};
/// `any` that takes NaN for zero.
template <class T>
struct NanAnyFold : AnyFold<T> {
  static void row(std::int64_t& s, T x) { s += !is_not_a_number(x) && x != T{} ? 1 : 0; }
  static void fold(const ReduceParameters&, std::int64_t& s, const T* in, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) row(s, in[i]);
  }
};
template <class T>
struct AllFold : CountFold<T> {
  static void finish(const ReduceParameters& p, const std::int64_t& s, std::int64_t* out,
                     std::int64_t*) {
    *out = s == p.count;
  }
};

}  // namespace treadle::inline v0::cpu::detail
