// Definitions of linear systems whose matrix is a tensor with its dimensions in two groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// `linalg_tensorinv(self, ind)`.
inline Status tensor_inverse(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const auto split = static_cast<std::size_t>(d.integer_at(1, 2));
  if (split == 0 || split > rank) return d.fail("expected ind in [1, ", rank, "]");
  const auto rows = d.sizes(d[0], 0, split);
  auto sizes = d.sizes(d[0], split, rank);
  const auto matrix =
      d.call("aten::reshape", {d[0], d.size_list({d.multiply_all(rows), d.multiply_all(sizes)})});
  const auto inverse = d.call("aten::linalg_inv_ex", {matrix}, {{"check_errors", d.boolean(true)}});
  sizes.append(rows);
  return d.give(d.call("aten::reshape", {inverse, d.size_list(sizes)}));
}

/// `linalg_tensorsolve(self, other, dims)`: `dims` of the matrix go last.
inline Status tensor_solve(Decomposition& d) {
  Operand a = d[0];
  const std::size_t rank = d.rank(a), known = d.rank(d[1]);
  if (known > rank) return d.fail("expected no more than ", rank, " dimensions");
  if (const auto dims = d.integers_at(2); !dims.empty()) {
    auto last = d.make_list();
    const auto count = static_cast<std::int64_t>(dims.size());
    for (std::int64_t i = -count; i < 0; ++i) last.push_back(d.integer(i));
    a = d.call("aten::movedim.intlist", {a, d.integers(dims), d.size_list(last)});
  }
  const auto sizes = d.sizes(a, known, rank);
  const auto unknowns = d.multiply_all(sizes);
  const auto matrix = d.call("aten::reshape", {a, d.size_list({d.integer(-1), unknowns})});
  const auto right = d.call("aten::flatten.using_ints", {d[1]});
  const auto solution =
      d.call("aten::_linalg_solve_ex", {matrix, right, d.boolean(true), d.boolean(true)});
  return d.give(d.call("aten::reshape", {solution, d.size_list(sizes)}));
}

// --- eigenvalues and symmetric factors -----------------------------------------------------------

inline Status eigenvalues(Decomposition& d) {
  return d.give(d.call_all("aten::linalg_eig", {d[0]})[0]);
}
inline Status ldl_factor(Decomposition& d) {
  const auto made = d.call_all("aten::linalg_ldl_factor_ex", {d[0], d[1], d.boolean(true)});
  return d.give_all({made[0], made[1]});
}

}  // namespace treadle::inline v0::detail::composite
