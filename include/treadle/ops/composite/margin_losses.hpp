// Definitions of losses that compare a row's elements with those of its classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/decomposition_losses.hpp>

namespace treadle::inline v0::detail::composite {

/// A row counts as a batch of one.
inline Operand as_rows(Decomposition& d, Operand x, std::size_t rank) {
  return rank < 2 ? d.call("aten::reshape", {x, d.integers({1, -1})}) : x;
}
/// One loss a row, reduced; a single row has a number either way.
inline Operand reduce_rows(Decomposition& d, Operand rows, std::int64_t how, std::size_t rank) {
  if (how == 1) return d.call("aten::mean", {rows});
  if (how == 2) return d.call("aten::sum", {rows});
  return rank < 2 ? d.call("aten::squeeze.dim", {rows, d.integer(0)}) : rows;
}

/// `multi_margin_loss(self, target, p, margin, weight, reduction)`.
inline Status multi_margin_loss(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const std::int64_t power = d.integer_at(2, 1);
  if (power != 1 && power != 2) return d.fail("p must be 1 or 2, found ", power);
  const auto x = as_rows(d, d[0], rank);
  const auto target = d.call("aten::reshape", {d[1], d.integers({-1, 1})});
  const auto own = d.call("aten::gather", {x, d.integer(1), target});
  auto loss = d.call("aten::add.Tensor", {d.call("aten::sub.Tensor", {x, own}), d[3]});
  loss = clamp_zero(d, loss);
  if (power == 2) loss = d.call("aten::mul.Tensor", {loss, loss});
  if (!d.is_none(4)) {
    const auto classes = d.call("aten::reshape", {d[1], d.integers({-1})});
    const auto weight = d.call("aten::index_select", {d[4], d.integer(0), classes});
    loss = d.call("aten::mul.Tensor", {loss, d.call("aten::unsqueeze", {weight, d.integer(1)})});
  }
  loss = d.call("aten::scatter.value", {loss, d.integer(1), target, d.integer(0)});
  loss = d.call("aten::mean.dim", {loss, d.integers({1})});
  return d.give(reduce_rows(d, loss, d.integer_at(5, 1), rank));
}

/// The loss, and 1 for every class among the targets. A negative target ends a row.
inline std::pair<Operand, Operand> multilabel_margins(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const auto x = as_rows(d, d[0], rank), target = as_rows(d, d[1], rank);
  const auto at = [&](Operand tensor, std::int64_t dim) {
    return d.call("aten::unsqueeze", {tensor, d.integer(dim)});
  };
  auto valid = d.call("aten::ge.Scalar", {target, d.integer(0)});
  valid = d.call("aten::cumprod", {valid, d.integer(1)});
  valid = d.call("aten::ne.Scalar", {valid, d.integer(0)});
  const auto classes = d.call("aten::arange", {d.size(x, 1)});
  auto is_target = d.call("aten::eq.Tensor", {at(target, 2), classes});
  is_target = d.call("aten::logical_and", {is_target, at(valid, 2)});
  is_target = d.call("aten::any.dim", {is_target, d.integer(1)});
  const auto own =
      d.call("aten::gather", {x, d.integer(1), d.call("aten::clamp_min", {target, d.integer(0)})});
  auto loss = d.call("aten::sub.Tensor", {at(x, 1), at(own, 2)});
  loss = clamp_zero(d, d.call("aten::add.Tensor", {loss, d.integer(1)}));
  const auto others = d.call("aten::logical_not", {is_target});
  const auto counts = d.call("aten::logical_and", {at(valid, 2), at(others, 1)});
  loss = d.call("aten::mul.Tensor", {loss, counts});
  loss = d.call("aten::sum.dim_IntList", {loss, d.integers({1})});
  loss = d.call("aten::mean.dim", {loss, d.integers({1})});
  auto flags = d.as_dtype(is_target, d.dtype(d[0]));
  if (rank < 2) flags = d.call("aten::squeeze.dim", {flags, d.integer(0)});
  if (rank == 0) flags = d.call("aten::reshape", {flags, d.integers({})});
  return {reduce_rows(d, loss, d.integer_at(2, 1), rank), flags};
}
inline Status multilabel_margin_loss(Decomposition& d) {
  return d.give(multilabel_margins(d).first);
}
inline Status multilabel_margin_loss_forward(Decomposition& d) {
  const auto [loss, flags] = multilabel_margins(d);
  return d.give_all({loss, flags});
}

}  // namespace treadle::inline v0::detail::composite
