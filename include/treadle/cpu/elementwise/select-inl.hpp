// Kernels of selection and of three-operand functions.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/ops/elementwise.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// NaN in any operand gives NaN; the upper bound counts where the two contradict.
template <class T>
T clamp_element(T x, T low, T high) noexcept {
  const T raised = x < low || low != low ? low : x;
  return raised > high || high != high ? high : raised;
}
template <class T>
T mixed(T a, T b, T weight) noexcept {
  return std::abs(weight) < 0.5 ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}
template <class T>
T product_sum(T a, T b, T c, T factor) noexcept {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(factor) *
                                                              static_cast<std::uint64_t>(b) *
                                                              static_cast<std::uint64_t>(c));
  else
    return a + factor * b * c;
}

inline constexpr ElementOp clamp_numbers_op =
    unary_op<on_reals>([](const ElementParameters& p, auto x) {
      return x != x ? x : clamp_element(x, p.get<decltype(x)>(0), p.get<decltype(x)>(1));
    });
inline constexpr ElementOp clamp_op = rounds(ternary_op<on_reals>(
    [](const auto&, auto x, auto a, auto b) { return x != x ? x : clamp_element(x, a, b); }));
inline constexpr ElementOp at_least_op = rounds(
    binary_op<on_reals>([](const auto&, auto a, auto b) { return a > b || a != a ? a : b; }));
inline constexpr ElementOp at_most_op = rounds(
    binary_op<on_reals>([](const auto&, auto a, auto b) { return a < b || a != a ? a : b; }));
/// Operands: condition, value where it holds, value elsewhere.
inline constexpr ElementOp where_op = ternary_op<on_all>(
    [](const auto&, auto c, auto a, auto b) { return c != decltype(c)(0) ? a : b; });

/// Bounds (operands 1 and 2, either may be missing) that are numbers become parameters.
inline Status choose_clamp(ElementwisePlanner& planner) {
  const bool low = planner.has_operand(1), high = planner.has_operand(2);
  if (!low && !high) return planner.context.fail("at least one of the bounds must be given");
  const auto least = planner.operand_number(1), most = planner.operand_number(2);
  if ((!low || least) && (!high || most)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    planner.op = clamp_numbers_op;
    planner.parameters.set(0, least ? planner.in_common_dtype(*least) : Scalar(-infinity));
    planner.parameters.set(1, most ? planner.in_common_dtype(*most) : Scalar(infinity));
    return {};
  }
  if (!low) planner.move_operand(2, 1);
  if (!low || !high) planner.op = low ? at_least_op : at_most_op;
  return {};
}
/// The numbers that are filled in do not change the type.
inline Status compute_as_result(ElementwisePlanner& planner) {
  planner.compute = compute_type(planner.context.results()[0].dtype());
  return {};
}

}  // namespace detail

TREADLE_INLINE void add_select_kernels(KernelRegistry<Backend>& registry) {
  using C = std::complex<double>;
  ElementwiseTable table(select_ops(), registry);
  table.add("aten::where", {{}, detail::where_op, "012"})
      .add("aten::masked_fill",
           {{}, detail::where_op, "201", false, &detail::compute_as_result, true})
      .add({"aten::clamp", "aten::clip"},
           {{}, detail::clamp_op, "0bc", false, &detail::choose_clamp})
      .add("aten::clamp_min", {{}, detail::clamp_op, "0b", false, &detail::choose_clamp})
      .add("aten::clamp_max", {{}, detail::clamp_op, "0c", false, &detail::choose_clamp})
      .add("aten::addcmul",
           {{},
            ternary_op<on_all>([](const ElementParameters& p, auto a, auto b, auto c) {
              return detail::product_sum(a, b, c, p.get<decltype(a)>(0));
            }),
            "012p"})
      .add("aten::addcdiv",
           {{},
            ternary_op<on_inexact>([](const ElementParameters& p, auto a, auto b, auto c) {
              return a + p.get<decltype(a)>(0) * b / c;
            }),
            "012p"})
      .add("aten::lerp", {{},
                          ternary_op<on_inexact>([](const auto&, auto a, auto b, auto w) {
                            return detail::mixed(a, b, w);
                          }),
                          "012"})
      .binary({"aten::complex"}, binary_op<on_complex>([](const auto&, auto a, auto b) {
                return C(a.real(), b.real());
              }))
      .binary({"aten::polar"}, binary_op<on_complex>([](const auto&, auto a, auto b) {
                return C(a.real() * std::cos(b.real()), a.real() * std::sin(b.real()));
              }));
}

}  // namespace treadle::inline v0::cpu
