// Kernels of comparisons, logic and bit operations.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/ops/elementwise.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

template <class T>
inline constexpr bool is_exact_type = std::is_same_v<T, std::int64_t>;

template <class T>
bool is_nan(T x) noexcept {
  return x != x;
}
template <class T>
bool is_infinite(T x) noexcept {
  if constexpr (is_exact_type<T>)
    return false;
  else if constexpr (std::is_floating_point_v<T>)
    return std::isinf(x);
  else
    return std::isinf(x.real()) || std::isinf(x.imag());
}
template <class T>
bool is_close(T a, T b, double relative, double absolute, bool equal_nan) noexcept {
  if (a == b) return true;
  if (is_nan(a) || is_nan(b)) return equal_nan && is_nan(a) && is_nan(b);
  const auto error = std::abs(a - b);
  return std::isfinite(error) &&
         static_cast<double>(error) <= absolute + std::abs(relative * std::abs(b));
}
inline std::int64_t shift_left(std::int64_t a, std::int64_t bits) noexcept {
  if (bits < 0 || bits > 63) return 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << bits);
}
inline std::int64_t shift_right(std::int64_t a, std::int64_t bits) noexcept {
  return a >> (bits < 0 || bits > 63 ? 63 : bits);
}

inline constexpr ElementOp logical_not_op =
    unary_predicate<on_all>([](const auto&, auto a) { return a == decltype(a)(0); });

/// The complement of a bool is its opposite.
inline Status choose_not(ElementwisePlanner& planner) {
  if (planner.promoted == DType::bool_) planner.op = logical_not_op;
  return {};
}

inline void add_comparisons(ElementwiseTable& table) {
  table
      .binary({"aten::eq"},
              binary_predicate<on_all>([](const auto&, auto a, auto b) { return a == b; }))
      .binary({"aten::ne", "aten::not_equal"},
              binary_predicate<on_all>([](const auto&, auto a, auto b) { return a != b; }))
      .binary({"aten::lt", "aten::less"},
              binary_predicate<on_reals>([](const auto&, auto a, auto b) { return a < b; }))
      .binary({"aten::le", "aten::less_equal"},
              binary_predicate<on_reals>([](const auto&, auto a, auto b) { return a <= b; }))
      .binary({"aten::gt", "aten::greater"},
              binary_predicate<on_reals>([](const auto&, auto a, auto b) { return a > b; }))
      .binary({"aten::ge", "aten::greater_equal"},
              binary_predicate<on_reals>([](const auto&, auto a, auto b) { return a >= b; }))
      .add("aten::isclose",
           {{},
            binary_predicate<on_inexact>([](const ElementParameters& p, auto a, auto b) {
              return is_close(a, b, p.real[0], p.real[1], p.integer[2] != 0);
            }),
            "01ppp",
            true});
}

inline void add_logic(ElementwiseTable& table) {
  table
      .binary({"aten::logical_and"}, binary_predicate<on_all>([](const auto&, auto a, auto b) {
                return (a != decltype(a)(0)) && (b != decltype(b)(0));
              }))
      .binary({"aten::logical_or"}, binary_predicate<on_all>([](const auto&, auto a, auto b) {
                return (a != decltype(a)(0)) || (b != decltype(b)(0));
              }))
      .binary({"aten::logical_xor"}, binary_predicate<on_all>([](const auto&, auto a, auto b) {
                return (a != decltype(a)(0)) != (b != decltype(b)(0));
              }))
      .unary({"aten::logical_not"}, logical_not_op)
      .unary({"aten::isnan"},
             unary_predicate<on_all>([](const auto&, auto a) { return is_nan(a); }))
      .unary({"aten::isinf"},
             unary_predicate<on_all>([](const auto&, auto a) { return is_infinite(a); }))
      .unary({"aten::isfinite"}, unary_predicate<on_all>([](const auto&, auto a) {
               return !is_infinite(a) && !is_nan(a);
             }))
      .unary({"aten::isposinf"},
             unary_predicate<on_reals>([](const auto&, auto a) { return is_infinite(a) && a > 0; }))
      .unary({"aten::isneginf"},
             unary_predicate<on_reals>([](const auto&, auto a) { return is_infinite(a) && a < 0; }))
      .unary({"aten::signbit"}, unary_predicate<on_reals>([](const auto&, auto a) {
               if constexpr (is_exact_type<decltype(a)>)
                 return a < 0;
               else
                 return std::signbit(a);
             }));
}

inline void add_bits(ElementwiseTable& table) {
  table
      .binary({"aten::bitwise_and", "aten::__and__"},
              binary_op<on_integers>([](const auto&, auto a, auto b) { return a & b; }))
      .binary({"aten::bitwise_or", "aten::__or__"},
              binary_op<on_integers>([](const auto&, auto a, auto b) { return a | b; }))
      .binary({"aten::bitwise_xor", "aten::__xor__"},
              binary_op<on_integers>([](const auto&, auto a, auto b) { return a ^ b; }))
      .binary({"aten::bitwise_left_shift", "aten::__lshift__"},
              binary_op<on_integers>([](const auto&, auto a, auto b) { return shift_left(a, b); }))
      .binary({"aten::bitwise_right_shift", "aten::__rshift__"},
              binary_op<on_integers>([](const auto&, auto a, auto b) { return shift_right(a, b); }))
      .add("aten::bitwise_not", {{},
                                 unary_op<on_integers>([](const auto&, auto a) { return ~a; }),
                                 "0",
                                 false,
                                 &choose_not});
}

}  // namespace detail

TREADLE_INLINE void add_compare_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(compare_ops(), registry);
  detail::add_comparisons(table);
  detail::add_logic(table);
  detail::add_bits(table);
}

}  // namespace treadle::inline v0::cpu
