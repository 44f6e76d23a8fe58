// Matrix multiplication of the dtypes that have no micro-kernel: integers and complex numbers.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/core/half.hpp>
#include <treadle/cpu/gemm/gemm_plan.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu::detail {

/// A complex product without the rescue of infinities that `std::complex` makes.
template <class R>
struct PlainComplex {
  R re = 0;
  R im = 0;
};
template <class R>
constexpr PlainComplex<R> operator*(PlainComplex<R> a, PlainComplex<R> b) noexcept {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class R>
constexpr PlainComplex<R> operator+(PlainComplex<R> a, PlainComplex<R> b) noexcept {
  return {a.re + b.re, a.im + b.im};
}

/// How elements of `T` are added up. Integers are unsigned, so that overflow wraps.
template <class T>
struct GemmArithmetic {
  using Sum = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Sum load(T x) noexcept { return static_cast<Sum>(x); }
  static constexpr T store(Sum x) noexcept { return static_cast<T>(x); }
  static constexpr Sum from(const Scalar& x) noexcept { return static_cast<Sum>(x.to_int()); }
  static constexpr bool is_zero(Sum x) noexcept { return x == 0; }
  static constexpr Sum bounded(Sum x, double low, double high) noexcept {
    const auto value = static_cast<double>(static_cast<T>(x));
    if (value < low) return static_cast<Sum>(static_cast<std::int64_t>(low));
    return value > high ? static_cast<Sum>(static_cast<std::int64_t>(high)) : x;
  }
};

template <class R>
struct GemmArithmetic<std::complex<R>> {
  using Sum = PlainComplex<R>;
  static constexpr Sum load(std::complex<R> x) noexcept { return {x.real(), x.imag()}; }
  static constexpr std::complex<R> store(Sum x) noexcept { return {x.re, x.im}; }
  static constexpr Sum from(const Scalar& x) noexcept {
    const auto value = x.to_complex();
    return {static_cast<R>(value.real()), static_cast<R>(value.imag())};
  }
  static constexpr bool is_zero(Sum x) noexcept { return x.re == 0 && x.im == 0; }
  static constexpr Sum bounded(Sum x, double, double) noexcept { return x; }
};

template <>
struct GemmArithmetic<ComplexHalf> : GemmArithmetic<std::complex<float>> {
  static constexpr Sum load(ComplexHalf x) noexcept { return {x.real, x.imag}; }
  static constexpr ComplexHalf store(Sum x) noexcept { return std::complex<float>(x.re, x.im); }
};

template <class T, class S>
struct FloatArithmetic {
  using Sum = S;
  static constexpr Sum load(T x) noexcept { return static_cast<Sum>(x); }
  static constexpr T store(Sum x) noexcept { return static_cast<T>(x); }
  static constexpr Sum bounded(Sum x, double low, double high) noexcept {
    if (x < static_cast<Sum>(low)) return static_cast<Sum>(low);
    return x > static_cast<Sum>(high) ? static_cast<Sum>(high) : x;
  }
};
template <>
struct GemmArithmetic<float> : FloatArithmetic<float, float> {};
template <>
struct GemmArithmetic<double> : FloatArithmetic<double, double> {};
template <>
struct GemmArithmetic<Half> : FloatArithmetic<Half, float> {};
template <>
struct GemmArithmetic<BFloat16> : FloatArithmetic<BFloat16, float> {};

/// One strip of a row of C: up to 64 columns with their sums on the stack.
template <class T>
void gemm_strip(const GemmPlan& plan, const GemmOperand& a, const GemmOperand& b, T* c,
                std::int64_t c_column, std::int64_t row, std::int64_t first, std::int64_t count,
                const GemmEpilogue& epilogue) {
  using Math = GemmArithmetic<T>;
  using Sum = typename Math::Sum;
  Sum sums[64] = {};
  const T* left = static_cast<const T*>(a.data) + row * a.row_stride;
  const T* right = static_cast<const T*>(b.data) + first * b.column_stride;
  for (std::int64_t k = 0; k < plan.k; ++k) {
    const Sum x = Math::load(left[k * a.column_stride]);
    const T* y = right + k * b.row_stride;
    if (b.column_stride == 1)
      for (std::int64_t j = 0; j < count; ++j) sums[j] = sums[j] + x * Math::load(y[j]);
    else
      for (std::int64_t j = 0; j < count; ++j)
        sums[j] = sums[j] + x * Math::load(y[j * b.column_stride]);
  }
  const Sum alpha = Math::from(epilogue.alpha), beta = Math::from(epilogue.beta);
  const T* row_bias = static_cast<const T*>(epilogue.row_bias);
  const T* column_bias = static_cast<const T*>(epilogue.column_bias);
  const bool is_relu = epilogue.activation == Activation::relu;
  for (std::int64_t j = 0; j < count; ++j) {
    T& out = c[(first + j) * c_column];
    Sum x = alpha * sums[j];
    if (!Math::is_zero(beta)) x = x + beta * Math::load(out);
    if (row_bias) x = x + Math::load(row_bias[row]);
    if (column_bias) x = x + Math::load(column_bias[first + j]);
    if (epilogue.activation != Activation::none)
      x = Math::bounded(x, is_relu ? 0.0 : epilogue.low,
                        is_relu ? std::numeric_limits<double>::infinity() : epilogue.high);
    out = Math::store(x);
  }
}

/// The whole product; packed operands are contiguous row-major copies.
template <class T>
void gemm_any(const GemmPlan& plan, GemmOperand a, GemmOperand b, void* c, std::int64_t c_row,
              std::int64_t c_column, const GemmEpilogue& epilogue, ParallelFor parallel_for) {
  if (a.is_packed) a.row_stride = plan.k, a.column_stride = 1;
  if (b.is_packed) b.row_stride = plan.n, b.column_stride = 1;
  const std::int64_t strips = (plan.n + 63) / 64;
  const std::int64_t cost = std::min<std::int64_t>(plan.n, 64) * (plan.k + 1);
  parallel_for(plan.m * strips, std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(cost, 1)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t s = begin; s < end; ++s) {
                   const std::int64_t row = s % plan.m, first = s / plan.m * 64;
                   gemm_strip(plan, a, b, static_cast<T*>(c) + row * c_row, c_column, row, first,
                              std::min<std::int64_t>(64, plan.n - first), epilogue);
                 }
               });
}

/// A contiguous row-major copy of an operand.
template <class T>
void copy_operand(const GemmOperand& from, std::int64_t rows, std::int64_t columns, void* out) {
  T* to = static_cast<T*>(out);
  const T* data = static_cast<const T*>(from.data);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      *to++ = data[i * from.row_stride + j * from.column_stride];
}

}  // namespace treadle::inline v0::cpu::detail
