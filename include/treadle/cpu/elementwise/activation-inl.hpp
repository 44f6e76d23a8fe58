// Kernels of the activation functions.
#pragma once

#include <cmath>
#include <complex>
#include <string>
#include <type_traits>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/elementwise/kernel.hpp>
#include <treadle/ops/elementwise.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

template <class T>
T logistic(T x) noexcept {
  if constexpr (std::is_same_v<T, std::complex<double>>)
    return 1.0 / (1.0 + std::exp(-x));
  else
    return 1 / (1 + std::exp(-x));
}
template <class T>
T soft_plus(T x, T beta, T threshold) noexcept {
  return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta;
}
template <class T>
T bounded(T x, T low, T high) noexcept {
  const T raised = x < low ? low : x;
  return raised > high ? high : raised;
}
template <class T>
T gelu_by_erf(T x) noexcept {
  return x * T(0.5) * (1 + std::erf(x * T(0.70710678118654752440)));
}
template <class T>
T gelu_by_tanh(T x) noexcept {
  const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
  return T(0.5) * x * (1 + std::tanh(inner));
}
template <class T>
T log_logistic(T x) noexcept {
  return std::fmin(x, T{0}) - std::log1p(std::exp(-std::abs(x)));
}

inline constexpr ElementOp relu_op =
    with_table(unary_op<on_reals>([](const auto&, auto x) { return x < 0 ? decltype(x)(0) : x; }),
               &simd::VectorMaps::relu);
inline constexpr ElementOp sigmoid_op =
    costly(with_table(unary_op<on_inexact>([](const auto&, auto x) { return logistic(x); }),
                      &simd::VectorMaps::sigmoid));
inline constexpr ElementOp silu_op =
    costly(with_table(unary_op<on_inexact>([](const auto&, auto x) { return x * logistic(x); }),
                      &simd::VectorMaps::silu));
inline constexpr ElementOp gelu_op =
    costly(with_table(unary_op<on_floats>([](const auto&, auto x) { return gelu_by_erf(x); }),
                      &simd::VectorMaps::gelu));
inline constexpr ElementOp gelu_tanh_op =
    costly(with_table(unary_op<on_floats>([](const auto&, auto x) { return gelu_by_tanh(x); }),
                      &simd::VectorMaps::gelu_tanh));
/// Parameters: lower and upper bound. NaN passes through.
inline constexpr ElementOp bounded_op = unary_op<on_reals>([](const ElementParameters& p, auto x) {
  return bounded(x, p.get<decltype(x)>(0), p.get<decltype(x)>(1));
});
inline constexpr ElementOp leaky_relu_op = unary_op<on_floats>(
    [](const ElementParameters& p, auto x) { return x > 0 ? x : x * p.get<decltype(x)>(0); });
/// Parameters: alpha, scale, input scale.
inline constexpr ElementOp elu_op =
    costly(unary_op<on_floats>([](const ElementParameters& p, auto x) {
      using T = decltype(x);
      return x > 0 ? x * p.get<T>(1) : std::expm1(x * p.get<T>(2)) * p.get<T>(0) * p.get<T>(1);
    }));
inline constexpr ElementOp log_sigmoid_op =
    costly(unary_op<on_floats>([](const auto&, auto x) { return log_logistic(x); }));
inline constexpr ElementOp logit_op =
    costly(unary_op<on_floats>([](const ElementParameters& p, auto x) {
      using T = decltype(x);
      const T eps = p.get<T>(0);
      const T y = eps < 0 ? x : bounded(x, eps, 1 - eps);
      return std::log(y / (1 - y));
    }));
/// Operands: self, slope.
inline constexpr ElementOp prelu_op =
    binary_op<on_floats>([](const auto&, auto x, auto slope) { return x > 0 ? x : x * slope; });
/// Operands: the two halves.
inline constexpr ElementOp glu_op =
    costly(binary_op<on_floats>([](const auto&, auto a, auto b) { return a * logistic(b); }));

template <int Low, int High>
Status set_bounds(ElementwisePlanner& planner) {
  planner.parameters.set(0, Scalar(Low));
  planner.parameters.set(1, Scalar(High));
  return {};
}
inline Status choose_gelu(ElementwisePlanner& planner) {
  const auto* approximate = planner.constant<std::string>(1);
  if (approximate && *approximate == "tanh")
    planner.op = gelu_tanh_op;
  else if (approximate && *approximate != "none")
    return planner.context.fail("approximate must be 'none' or 'tanh', found '", *approximate, "'");
  return {};
}
inline Status set_selu(ElementwisePlanner& planner) {
  planner.parameters.real = {1.6732632423543772848170429916717, 1.0507009873554804934193349852946,
                             1.0};
  return {};
}
/// `celu` is `elu` on x / alpha.
inline Status set_celu(ElementwisePlanner& planner) {
  const double alpha = planner.parameters.real[0];
  if (alpha == 0) return planner.context.fail("alpha must not be 0");
  planner.parameters.real = {alpha, 1.0, 1.0 / alpha};
  return {};
}
inline Status set_logit(ElementwisePlanner& planner) {
  if (!planner.number(1)) planner.parameters.set(0, Scalar(-1.0));
  return {};
}
/// One slope, or one for each channel (dimension 1).
inline Status place_slopes(ElementwisePlanner& planner) {
  const TensorMeta& self = planner.operand_meta(0);
  const TensorMeta& weight = planner.operand_meta(1);
  if (element_count(weight) == 1 || weight.rank() != 1 || self.rank() < 2) return {};
  TensorMeta column = weight;
  column.sizes = Dims(self.rank(), 1);
  column.strides = Dims(self.rank(), 0);
  column.sizes[1] = weight.sizes[0];
  column.strides[1] = weight.strides[0];
  planner.set_operand_view(1, std::move(column), 0);
  return {};
}
/// The operands are the halves of one tensor along a dimension.
inline Status split_halves(ElementwisePlanner& planner) {
  TensorMeta half = planner.operand_meta(0);
  const auto given = planner.number(1);
  const auto rank = static_cast<std::int64_t>(half.rank());
  std::int64_t dim = given ? given->to_int() : -1;
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank || half.sizes[static_cast<std::size_t>(dim)] % 2 != 0)
    return planner.context.fail("there is no dimension of an even size to halve");
  const auto d = static_cast<std::size_t>(dim);
  half.sizes[d] /= 2;
  planner.repeat_first();
  planner.set_operand_view(0, half, 0);
  planner.set_operand_view(
      1, half, half.sizes[d] * half.strides[d] * static_cast<std::int64_t>(size_of(half.dtype)));
  return {};
}

inline void add_shrinking_activations(ElementwiseTable& table) {
  using P = ElementParameters;
  table
      .add("aten::hardshrink", {{},
                                unary_op<on_floats>([](const P& p, auto x) {
                                  const auto l = p.get<decltype(x)>(0);
                                  return x >= -l && x <= l ? decltype(x)(0) : x;
                                }),
                                "0p"})
      .add("aten::softshrink", {{},
                                unary_op<on_floats>([](const P& p, auto x) {
                                  using T = decltype(x);
                                  const T l = p.get<T>(0);
                                  return x > l ? x - l : x < -l ? x + l : x * T(0);
                                }),
                                "0p"})
      .add("aten::threshold", {{},
                               unary_op<on_reals>([](const P& p, auto x) {
                                 using T = decltype(x);
                                 return x <= p.get<T>(0) ? p.get<T>(1) : x;
                               }),
                               "0pp"})
      .add("aten::softplus", {{},
                              costly(unary_op<on_floats>([](const P& p, auto x) {
                                using T = decltype(x);
                                return soft_plus(x, p.get<T>(0), p.get<T>(1));
                              })),
                              "0pp"})
      .unary({"aten::mish"}, costly(unary_op<on_floats>([](const auto&, auto x) {
               return x * std::tanh(std::log1p(std::exp(x)));
             })))
      .unary({"aten::hardswish"}, unary_op<on_floats>([](const auto&, auto x) {
               using T = decltype(x);
               return x * bounded(x + T(3), T(0), T(6)) / T(6);
             }))
      .unary({"aten::hardsigmoid"}, unary_op<on_floats>([](const auto&, auto x) {
               using T = decltype(x);
               return bounded(x + T(3), T(0), T(6)) / T(6);
             }));
}

}  // namespace detail

TREADLE_INLINE void add_activation_kernels(KernelRegistry<Backend>& registry) {
  ElementwiseTable table(activation_ops(), registry);
  table.unary({"aten::relu"}, detail::relu_op)
      .unary({"aten::sigmoid", "aten::special_expit"}, detail::sigmoid_op, true)
      .unary({"aten::silu"}, detail::silu_op)
      .unary({"aten::log_sigmoid", "aten::log_sigmoid_forward"}, detail::log_sigmoid_op)
      .add("aten::gelu", {{}, detail::gelu_op, "0", false, &detail::choose_gelu})
      .add("aten::relu6", {{}, detail::bounded_op, "0", false, &detail::set_bounds<0, 6>})
      .add("aten::hardtanh", {{}, detail::bounded_op, "0pp"})
      .add("aten::leaky_relu", {{}, detail::leaky_relu_op, "0p"})
      .add("aten::elu", {{}, detail::elu_op, "0ppp"})
      .add("aten::selu", {{}, detail::elu_op, "0", false, &detail::set_selu})
      .add("aten::celu", {{}, detail::elu_op, "0p", false, &detail::set_celu})
      .add({"aten::logit", "aten::special_logit"},
           {{}, detail::logit_op, "0p", true, &detail::set_logit})
      .add({"aten::prelu", "aten::_prelu_kernel"},
           {{}, detail::prelu_op, "01", false, &detail::place_slopes})
      .add("aten::glu", {{}, detail::glu_op, "0", false, &detail::split_halves});
  detail::add_shrinking_activations(table);
}

}  // namespace treadle::inline v0::cpu
