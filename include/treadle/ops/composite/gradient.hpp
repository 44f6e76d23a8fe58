// Definitions of numerical gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// Central differences, one-sided ones of order 1 or 2 at the ends.
inline Argument differences(Decomposition& d, std::int64_t dim, double spacing,
                            std::int64_t order) {
  const auto part = [&](std::int64_t start, Argument end) {
    return d.call("aten::slice.Tensor", {d[0], d.integer(dim), d.integer(start), std::move(end)});
  };
  const auto at = [&](std::int64_t i) { return part(i, i == -1 ? d.none() : d.integer(i + 1)); };
  const auto over = [&](const Argument& x, double by) {
    return d.call("aten::div.Tensor", {x, d.real(by)});
  };
  const auto minus = [&](const Argument& a, const Argument& b) {
    return d.call("aten::sub.Tensor", {a, b});
  };
  const auto center = over(minus(part(2, d.none()), part(0, d.integer(-2))), 2 * spacing);
  Argument first = over(minus(at(1), at(0)), spacing), last = over(minus(at(-1), at(-2)), spacing);
  if (order == 2) {
    const auto end = [&](std::int64_t a, std::int64_t b, std::int64_t c, double sign) {
      auto sum = d.call("aten::mul.Tensor", {at(a), d.real(-1.5 * sign / spacing)});
      sum = d.call("aten::add.Tensor", {sum, at(b)}, {{"alpha", d.real(2 * sign / spacing), true}});
      return d.call("aten::add.Tensor", {sum, at(c)},
                    {{"alpha", d.real(-0.5 * sign / spacing), true}});
    };
    first = end(0, 1, 2, 1);
    last = end(-1, -2, -3, -1);
  }
  return d.call("aten::cat", {Argument::List{first, center, last}, d.integer(dim)});
}

/// `spacings` has one number, or one a dimension.
inline Status gradient(Decomposition& d, std::vector<std::int64_t> dims,
                       const std::vector<double>& spacings, std::int64_t order) {
  if (!is_floating(d.dtype(d[0])) && !is_complex(d.dtype(d[0])))
    return d.fail("gradients of ", name(d.dtype(d[0])), " have no definition");
  if (dims.empty())
    for (std::size_t i = 0; i < d.rank(d[0]); ++i) dims.push_back(static_cast<std::int64_t>(i));
  if (spacings.size() != 1 && spacings.size() != dims.size())
    return d.fail("expected ", dims.size(), " spacings, found ", spacings.size());
  std::vector<Argument> results;
  for (std::size_t i = 0; i < dims.size(); ++i)
    results.push_back(
        differences(d, dims[i], spacings.size() == 1 ? spacings[0] : spacings[i], order));
  return d.give_all(std::move(results));
}

inline std::vector<double> spacings_at(Decomposition& d, std::size_t i) {
  std::vector<double> out;
  if (const auto* reals = d[i].get<std::vector<double>>()) out = *reals;
  for (const std::int64_t n : d.integers_at(i)) out.push_back(static_cast<double>(n));
  if (out.empty()) out.push_back(d.real_at(i, 1));
  return out;
}

inline Status gradient_scalar(Decomposition& d) {
  return gradient(d, d.integers_at(2), {d.real_at(1, 1)}, d.integer_at(3, 1));
}
inline Status gradient_scalar_dims(Decomposition& d) { return gradient_scalar(d); }
inline Status gradient_dims(Decomposition& d) {
  return gradient(d, d.integers_at(1), {1}, d.integer_at(2, 1));
}
inline Status gradient_scalars(Decomposition& d) {
  return gradient(d, d.integers_at(2), spacings_at(d, 1), d.integer_at(3, 1));
}
inline Status gradient_scalars_dims(Decomposition& d) { return gradient_scalars(d); }

}  // namespace treadle::inline v0::detail::composite
