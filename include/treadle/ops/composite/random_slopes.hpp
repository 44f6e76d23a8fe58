// Definitions by random numbers: leaky rectifiers with random slopes, Dirichlet's distribution.
#pragma once

#include <cstddef>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// Slopes between the limits at arguments `at` and `at + 1`: a draw for each element that is not
/// positive, 1 for the others.
inline Operand random_slopes(Decomposition& d, std::size_t at) {
  const auto draws = d.call("aten::uniform", {d[0], d[at], d[at + 1]});
  const auto low = d.call("aten::le.Scalar", {d[0], d.integer(0)});
  return d.call("aten::where.ScalarOther", {low, draws, d.real(1)});
}
/// Outside of training all have the mean slope.
inline Operand mean_slope(Decomposition& d, std::size_t at) {
  const double slope = (d.real_at(at, 0.125) + d.real_at(at + 1, 1.0 / 3)) / 2;
  return d.call("aten::leaky_relu", {d[0], d.real(slope)});
}
/// `rrelu(self, lower, upper, training)`.
inline Status random_rectifier(Decomposition& d) {
  if (!d.boolean_at(3)) return d.give(mean_slope(d, 1));
  return d.give(d.call("aten::mul.Tensor", {d[0], random_slopes(d, 1)}));
}
/// `rrelu_with_noise(self, noise, lower, upper, training)` writes its slopes.
inline Status random_rectifier_noise(Decomposition& d) {
  if (!d.boolean_at(4)) return d.give(mean_slope(d, 2));
  const auto slopes = d.call("aten::copy_", {d[1], random_slopes(d, 2)});
  return d.give(d.call("aten::mul.Tensor", {d[0], slopes}));
}
inline Status random_rectifier_noise_functional(Decomposition& d) {
  if (!d.boolean_at(4)) return d.give_all({mean_slope(d, 2), d.call("aten::clone", {d[1]})});
  const auto slopes = random_slopes(d, 2);
  return d.give_all({d.call("aten::mul.Tensor", {d[0], slopes}), slopes});
}

/// `_sample_dirichlet(self)`: gamma draws over their sum.
inline Status dirichlet(Decomposition& d) {
  const auto draws = d.call("aten::_standard_gamma", {d[0]});
  const auto sum = d.call("aten::sum.dim_IntList", {draws, d.integers({-1}), d.boolean(true)});
  return d.give(d.call("aten::div.Tensor", {draws, sum}));
}

}  // namespace treadle::inline v0::detail::composite
