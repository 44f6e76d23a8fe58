// Definitions of composite losses.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// PyTorch's numbers of reductions: 0 none, 1 mean, 2 sum.
inline Status reduce_loss(Decomposition& d, Operand loss, std::size_t reduction) {
  const std::int64_t how = d.integer_at(reduction, 1);
  if (how == 0) return d.give(loss);
  return d.give(d.call(how == 1 ? "aten::mean" : "aten::sum", {loss}));
}

inline Operand clamp_zero(Decomposition& d, Operand tensor) {
  return d.call("aten::clamp_min", {tensor, d.integer(0)});
}

inline Status margin_ranking_loss(Decomposition& d) {
  const auto difference = d.call("aten::sub.Tensor", {d[0], d[1]});
  const auto product = d.call("aten::mul.Tensor", {d.call("aten::neg", {d[2]}), difference});
  return reduce_loss(d, clamp_zero(d, d.call("aten::add.Tensor", {product, d[3]})), 4);
}

inline Status hinge_embedding_loss(Decomposition& d) {
  const auto zeros = d.call("aten::zeros_like", {d[0]});
  const auto margin =
      clamp_zero(d, d.call("aten::add.Tensor", {d.call("aten::neg", {d[0]}), d[2]}));
  const auto is = [&](std::int64_t target) {
    return d.call("aten::eq.Scalar", {d[1], d.integer(target)});
  };
  // Targets other than 1 and -1 take both terms.
  const auto not_near = d.call("aten::where.self", {is(1), zeros, margin});
  const auto not_far = d.call("aten::where.self", {is(-1), zeros, d[0]});
  return reduce_loss(d, d.call("aten::add.Tensor", {not_near, not_far}), 3);
}

inline Status poisson_nll_loss(Decomposition& d) {
  Operand loss;
  if (d.boolean_at(2)) {
    loss = d.call("aten::sub.Tensor",
                  {d.call("aten::exp", {d[0]}), d.call("aten::mul.Tensor", {d[1], d[0]})});
  } else {
    const auto log = d.call("aten::log", {d.call("aten::add.Tensor", {d[0], d[4]})});
    loss = d.call("aten::sub.Tensor", {d[0], d.call("aten::mul.Tensor", {d[1], log})});
  }
  if (d.boolean_at(3)) {
    // Stirling's approximation of log(target!).
    const auto log = d.call("aten::log", {d[1]});
    auto term = d.call("aten::sub.Tensor", {d.call("aten::mul.Tensor", {d[1], log}), d[1]});
    const auto scaled = d.call("aten::mul.Tensor", {d[1], d.real(2 * std::numbers::pi)});
    const auto half = d.call("aten::mul.Tensor", {d.call("aten::log", {scaled}), d.real(0.5)});
    term = d.call("aten::add.Tensor", {term, half});
    const auto small = d.call("aten::le.Scalar", {d[1], d.integer(1)});
    term = d.call("aten::masked_fill.Scalar", {term, small, d.integer(0)});
    loss = d.call("aten::add.Tensor", {loss, term});
  }
  return reduce_loss(d, loss, 5);
}

inline Status cosine_embedding_loss(Decomposition& d) {
  const auto dim = d.integers({d.rank(d[2]) == 0 ? std::int64_t{0} : std::int64_t{1}});
  const auto dot = [&](Operand a, Operand b) {
    return d.call("aten::sum.dim_IntList", {d.call("aten::mul.Tensor", {a, b}), dim});
  };
  const auto energy = [&](Operand a) {
    return d.call("aten::add.Tensor", {dot(a, a), d.real(1e-12)});
  };
  const auto norm =
      d.call("aten::sqrt", {d.call("aten::mul.Tensor", {energy(d[0]), energy(d[1])})});
  const auto cosine = d.call("aten::div.Tensor", {dot(d[0], d[1]), norm});
  const auto zeros = d.call("aten::zeros_like", {cosine});
  const auto near = d.call("aten::rsub.Scalar", {cosine, d.integer(1)});
  const auto far = clamp_zero(d, d.call("aten::sub.Tensor", {cosine, d[3]}));
  const auto is = [&](std::int64_t target) {
    return d.call("aten::eq.Scalar", {d[2], d.integer(target)});
  };
  const auto loss = d.call("aten::add.Tensor", {d.call("aten::where.self", {is(1), near, zeros}),
                                                d.call("aten::where.self", {is(-1), far, zeros})});
  return reduce_loss(d, loss, 4);
}

inline Status triplet_margin_loss(Decomposition& d) {
  const auto distance = [&](Operand a, Operand b) {
    return d.call("aten::pairwise_distance", {a, b, d[4], d[5]});
  };
  const auto near = distance(d[0], d[1]);
  auto far = distance(d[0], d[2]);
  if (d.boolean_at(6)) far = d.call("aten::minimum", {far, distance(d[1], d[2])});
  const auto gap = d.call("aten::sub.Tensor", {d.call("aten::add.Tensor", {near, d[3]}), far});
  return reduce_loss(d, clamp_zero(d, gap), 7);
}

/// The logarithm of the multivariate gamma function.
inline Status mvlgamma(Decomposition& d) {
  const std::int64_t p = d.integer_at(1, 0);
  if (p < 1 || p > 64) return d.fail("expected a constant p from 1 to 64");
  Operand sum;
  for (std::int64_t i = 0; i < p; ++i) {
    const auto shifted = d.call("aten::sub.Tensor", {d[0], d.real(static_cast<double>(i) / 2)});
    const auto term = d.call("aten::lgamma", {shifted});
    sum = i == 0 ? term : d.call("aten::add.Tensor", {sum, term});
  }
  const double constant = static_cast<double>(p * (p - 1)) / 4 * std::log(std::numbers::pi);
  return d.give(d.call("aten::add.Tensor", {sum, d.real(constant)}));
}

}  // namespace treadle::inline v0::detail::composite
