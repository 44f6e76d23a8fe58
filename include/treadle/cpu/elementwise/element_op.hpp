// Elementwise functions as dense loops, one a type that they compute in.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/core/scalar.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu {

/// The types that elementwise operators compute in. Storage of other dtypes is converted in small
/// chunks on the way in and out.
enum class ComputeType : std::uint8_t { int64, float32, float64, complex128, boolean };

/// The narrowest compute type that holds every value of `dtype`; bool computes as int64.
[[nodiscard]] constexpr ComputeType compute_type(DType dtype) noexcept {
  if (is_complex(dtype)) return ComputeType::complex128;
  if (!is_floating(dtype)) return ComputeType::int64;
  return dtype == DType::float64 ? ComputeType::float64 : ComputeType::float32;
}
/// The dtype that is stored exactly as the compute type is.
[[nodiscard]] constexpr DType stored_dtype(ComputeType type) noexcept {
  constexpr std::array<DType, 5> of = {DType::int64, DType::float32, DType::float64,
                                       DType::complex128, DType::bool_};
  return of[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr std::size_t size_of(ComputeType type) noexcept {
  return size_of(stored_dtype(type));
}

/// Numbers that an elementwise function takes besides its operands (slopes, limits, alpha).
struct ElementParameters {
  std::array<double, 3> real{};
  std::array<double, 3> imag{};
  std::array<std::int64_t, 3> integer{};

  void set(std::size_t i, const Scalar& value) noexcept {
    real[i] = value.to_double();
    imag[i] = value.to_complex().imag();
    integer[i] = value.to_int();
  }
  template <class T>
  [[nodiscard]] T get(std::size_t i) const noexcept {
    if constexpr (std::is_same_v<T, std::int64_t>)
      return integer[i];
    else if constexpr (std::is_same_v<T, std::complex<double>>)
      return {real[i], imag[i]};
    else
      return static_cast<T>(real[i]);
  }
};

/// Computes `n` elements from dense arrays of the compute type; `out` may be one of the inputs.
using DenseLoop = void (*)(const ElementParameters& parameters, const void* const* in, void* out,
                           std::int64_t n);

/// An elementwise function: its loops by compute type of the operands (null where it is not
/// defined) and, for float32, functions of the table for the machine's instruction set.
struct ElementOp {
  using Table = simd::VectorMaps;

  std::uint8_t arity = 0;
  bool predicate = false;    ///< gives bool
  bool real_result = false;  ///< gives a real number for complex operands
  bool divides = false;      ///< integers: an error where the last operand is 0
  bool costly = false;       ///< some tens of operations an element
  /// Operands are converted to their common dtype first; others keep the digits of wider ones.
  bool rounds = false;
  std::array<DenseLoop, 4> loops{};

  simd::UnaryFunction<float> Table::* unary = nullptr;
  simd::BinaryFunction<float> Table::* binary = nullptr;
  simd::ScalarFunction<float> Table::* scalar_second = nullptr;  ///< second operand constant
  simd::ScalarFunction<float> Table::* scalar_first = nullptr;   ///< first operand constant

  [[nodiscard]] constexpr DenseLoop loop(ComputeType type) const noexcept {
    return loops[static_cast<std::size_t>(type)];
  }
};

/// Sets of compute types that a function is defined for.
inline constexpr unsigned on_integers = 1, on_floats = 2, on_complex = 4;
inline constexpr unsigned on_reals = on_integers | on_floats, on_all = on_reals | on_complex;
inline constexpr unsigned on_inexact = on_floats | on_complex;

namespace detail {

/// Elements only: no assumption but that `out` is an input or apart from all of them.
template <class Function, class T, class R, std::size_t Arity>
void dense_loop(const ElementParameters& given, const void* const* in, void* out, std::int64_t n) {
  const ElementParameters p = given;
  const Function f{};
  R* const o = static_cast<R*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  if constexpr (Arity == 1) {
    for (std::int64_t i = 0; i < n; ++i) o[i] = static_cast<R>(f(p, a[i]));
  } else if constexpr (Arity == 2) {
    const T* const b = static_cast<const T*>(in[1]);
    for (std::int64_t i = 0; i < n; ++i) o[i] = static_cast<R>(f(p, a[i], b[i]));
  } else {
    const T* const b = static_cast<const T*>(in[1]);
    const T* const c = static_cast<const T*>(in[2]);
    for (std::int64_t i = 0; i < n; ++i) o[i] = static_cast<R>(f(p, a[i], b[i], c[i]));
  }
}

template <unsigned Types, std::size_t Arity, class Function, bool Predicate, bool Real>
constexpr ElementOp make_op() {
  ElementOp op;
  op.arity = Arity;
  op.predicate = Predicate;
  op.real_result = Real;
  const auto set = [&]<class T>(ComputeType type, T) {
    using Plain = std::conditional_t<Real && std::is_same_v<T, std::complex<double>>, double, T>;
    using R = std::conditional_t<Predicate, bool, Plain>;
    op.loops[static_cast<std::size_t>(type)] = &dense_loop<Function, T, R, Arity>;
  };
  if constexpr ((Types & on_integers) != 0) set(ComputeType::int64, std::int64_t{});
  if constexpr ((Types & on_floats) != 0) {
    set(ComputeType::float32, float{});
    set(ComputeType::float64, double{});
  }
  if constexpr ((Types & on_complex) != 0) set(ComputeType::complex128, std::complex<double>{});
  return op;
}

}  // namespace detail

[[nodiscard]] constexpr ElementOp rounds(ElementOp op) {
  op.rounds = true;
  return op;
}
/// `f(parameters, a)`; `f` is a stateless generic lambda.
template <unsigned Types, class Function>
constexpr ElementOp unary_op(Function) {
  return detail::make_op<Types, 1, Function, false, false>();
}
template <unsigned Types, class Function>
constexpr ElementOp binary_op(Function) {
  return detail::make_op<Types, 2, Function, false, false>();
}
template <unsigned Types, class Function>
constexpr ElementOp ternary_op(Function) {
  return detail::make_op<Types, 3, Function, false, false>();
}
/// `f(parameters, a)` gives bool.
template <unsigned Types, class Function>
constexpr ElementOp unary_predicate(Function) {
  return detail::make_op<Types, 1, Function, true, false>();
}
/// `f(parameters, a, b)` gives bool.
template <unsigned Types, class Function>
constexpr ElementOp binary_predicate(Function) {
  return rounds(detail::make_op<Types, 2, Function, true, false>());
}
/// `f(parameters, a)` gives a real number also for complex `a`.
template <unsigned Types, class Function>
constexpr ElementOp real_op(Function) {
  return detail::make_op<Types, 1, Function, false, true>();
}

/// The same with functions of the float32 table.
[[nodiscard]] constexpr ElementOp with_table(ElementOp op,
                                             simd::UnaryFunction<float> ElementOp::Table::* unary) {
  op.unary = unary;
  return op;
}
[[nodiscard]] constexpr ElementOp with_table(
    ElementOp op, simd::BinaryFunction<float> ElementOp::Table::* binary,
    simd::ScalarFunction<float> ElementOp::Table::* scalar_second = nullptr,
    simd::ScalarFunction<float> ElementOp::Table::* scalar_first = nullptr) {
  op.binary = binary;
  op.scalar_second = scalar_second;
  op.scalar_first = scalar_first;
  return op;
}
[[nodiscard]] constexpr ElementOp costly(ElementOp op) {
  op.costly = true;
  return op;
}
[[nodiscard]] constexpr ElementOp divides(ElementOp op) {
  op.divides = true;
  return op;
}

}  // namespace treadle::inline v0::cpu
