// Definitions of numerical gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// Central differences, one-sided ones of order 1 or 2 at the ends.
inline Operand differences(Decomposition& d, std::int64_t dim, double spacing, std::int64_t order) {
  const auto part = [&](std::int64_t start, Operand end) {
    return d.call("aten::slice.Tensor", {d[0], d.integer(dim), d.integer(start), end});
  };
  const auto at = [&](std::int64_t i) { return part(i, i == -1 ? d.none() : d.integer(i + 1)); };
  const auto over = [&](Operand x, double by) {
    return d.call("aten::div.Tensor", {x, d.real(by)});
  };
  const auto minus = [&](Operand a, Operand b) { return d.call("aten::sub.Tensor", {a, b}); };
  const auto center = over(minus(part(2, d.none()), part(0, d.integer(-2))), 2 * spacing);
  Operand first = over(minus(at(1), at(0)), spacing), last = over(minus(at(-1), at(-2)), spacing);
  if (order == 2) {
    const auto end = [&](std::int64_t a, std::int64_t b, std::int64_t c, double sign) {
      auto sum = d.call("aten::mul.Tensor", {at(a), d.real(-1.5 * sign / spacing)});
      sum = d.call("aten::add.Tensor", {sum, at(b)}, {{"alpha", d.real(2 * sign / spacing)}});
      return d.call("aten::add.Tensor", {sum, at(c)}, {{"alpha", d.real(-0.5 * sign / spacing)}});
    };
    first = end(0, 1, 2, 1);
    last = end(-1, -2, -3, -1);
  }
  return d.call("aten::cat", {d.list({first, center, last}), d.integer(dim)});
}

/// `spacings` has one number, or one a dimension.
inline Status gradient(Decomposition& d, std::span<const std::int64_t> dims,
                       std::span<const double> spacings, std::int64_t order) {
  if (dims.empty()) dims = d.all_dimensions(d.rank(d[0]));
  if (spacings.size() != 1 && spacings.size() != dims.size())
    return d.fail("expected ", dims.size(), " spacings, found ", spacings.size());
  auto results = d.make_list();
  for (std::size_t i = 0; i < dims.size(); ++i)
    results.push_back(
        differences(d, dims[i], spacings.size() == 1 ? spacings[0] : spacings[i], order));
  return d.give_all(results);
}

inline std::vector<double> spacings_at(Decomposition& d, std::size_t i) {
  std::vector<double> out;
  if (const auto* reals = d[i].get<std::vector<double>>()) out = *reals;
  for (const std::int64_t n : d.integers_at(i)) out.push_back(static_cast<double>(n));
  if (out.empty()) out.push_back(d.real_at(i, 1));
  return out;
}

inline Status gradient_scalar(Decomposition& d) {
  const double spacing = d.real_at(1, 1);
  return gradient(d, d.integers_at(2), {&spacing, 1}, d.integer_at(3, 1));
}
inline Status gradient_dims(Decomposition& d) {
  const double spacing = 1;
  return gradient(d, d.integers_at(1), {&spacing, 1}, d.integer_at(2, 1));
}
inline Status gradient_scalars(Decomposition& d) {
  return gradient(d, d.integers_at(2), spacings_at(d, 1), d.integer_at(3, 1));
}

/// Differences over places that a vector gives.
inline Operand uneven_differences(Decomposition& d, std::int64_t dim, Operand places,
                                  std::int64_t order) {
  const std::size_t rank = d.rank(d[0]), own = d.dimension(dim, rank);
  const auto part = [&](Operand x, std::int64_t axis, std::int64_t start, Operand end) {
    return d.call("aten::slice.Tensor", {x, d.integer(axis), d.integer(start), end});
  };
  const auto at = [&](Operand x, std::int64_t axis, std::int64_t i) {
    return part(x, axis, i, i == -1 ? d.none() : d.integer(i + 1));
  };
  const auto times = [&](Operand a, Operand b) { return d.call("aten::mul.Tensor", {a, b}); };
  const auto plus = [&](Operand a, Operand b) { return d.call("aten::add.Tensor", {a, b}); };
  const auto over = [&](Operand a, Operand b) { return d.call("aten::div.Tensor", {a, b}); };
  auto steps =
      d.call("aten::sub.Tensor", {part(places, 0, 1, d.none()), part(places, 0, 0, d.integer(-1))});
  // Along `dim`: later dimensions follow it.
  for (std::size_t i = own + 1; i < rank; ++i)
    steps = d.call("aten::unsqueeze", {steps, d.integer(-1)});
  const auto sum_of = [&](Operand a, Operand x, Operand b, Operand y, Operand c, Operand z) {
    return plus(plus(times(a, x), times(b, y)), times(c, z));
  };
  const auto negative = [&](Operand x) { return d.call("aten::neg", {x}); };
  const auto left = part(steps, 0, 0, d.integer(-1)), right = part(steps, 0, 1, d.none());
  const auto both = plus(left, right);
  const auto center =
      sum_of(negative(over(right, times(left, both))), part(d[0], dim, 0, d.integer(-2)),
             over(d.call("aten::sub.Tensor", {right, left}), times(left, right)),
             part(d[0], dim, 1, d.integer(-1)), over(left, times(right, both)),
             part(d[0], dim, 2, d.none()));
  const auto end = [&](std::int64_t a, std::int64_t b, std::int64_t step) {
    const auto rise = d.call("aten::sub.Tensor", {at(d[0], dim, a), at(d[0], dim, b)});
    return over(rise, at(steps, 0, step));
  };
  Operand first = end(1, 0, 0), last = end(-1, -2, -1);
  if (order == 2) {
    // The parabola through the three points next to an end.
    const auto curved = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t near,
                            std::int64_t next) {
      const auto h = at(steps, 0, near), k = at(steps, 0, next), sum = plus(h, k);
      return sum_of(negative(over(plus(h, sum), times(h, sum))), at(d[0], dim, a),
                    over(sum, times(h, k)), at(d[0], dim, b), negative(over(h, times(k, sum))),
                    at(d[0], dim, c));
    };
    first = curved(0, 1, 2, 0, 1);
    last = negative(curved(-1, -2, -3, -1, -2));
  }
  return d.call("aten::cat", {d.list({first, center, last}), d.integer(dim)});
}
inline Status gradient_places(Decomposition& d, std::span<const std::int64_t> dims,
                              std::int64_t order) {
  const auto places = d.items_at(1);
  if (dims.empty()) dims = d.all_dimensions(d.rank(d[0]));
  if (places.size() != dims.size())
    return d.fail("expected places for ", dims.size(), " dimensions, found ", places.size());
  auto results = d.make_list();
  for (std::size_t i = 0; i < dims.size(); ++i)
    results.push_back(uneven_differences(d, dims[i], places[i], order));
  return d.give_all(results);
}
inline Status gradient_tensors(Decomposition& d) {
  return gradient_places(d, d.integers_at(2), d.integer_at(3, 1));
}

}  // namespace treadle::inline v0::detail::composite
