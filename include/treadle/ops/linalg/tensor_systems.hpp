// Definitions of linear systems whose matrix is a tensor with its dimensions in two groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// The sizes of the dimensions from `first` to `last`.
inline std::vector<Argument> sizes_between(Decomposition& d, const Argument& tensor,
                                           std::size_t first, std::size_t last) {
  std::vector<Argument> sizes;
  for (std::size_t i = first; i < last; ++i) sizes.push_back(d.size(tensor, i));
  return sizes;
}
inline Argument product_of(Decomposition& d, const std::vector<Argument>& sizes) {
  Argument product = d.integer(1);
  for (const auto& size : sizes) product = d.multiply(product, size);
  return product;
}

/// `linalg_tensorinv(self, ind)`.
inline Status tensor_inverse(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  const auto split = static_cast<std::size_t>(d.integer_at(1, 2));
  if (split == 0 || split > rank) return d.fail("expected ind in [1, ", rank, "]");
  const auto rows = sizes_between(d, d[0], 0, split);
  auto sizes = sizes_between(d, d[0], split, rank);
  const auto matrix =
      d.call("aten::reshape",
             {d[0], Decomposition::size_list({product_of(d, rows), product_of(d, sizes)})});
  const auto inverse =
      d.call("aten::linalg_inv_ex", {matrix}, {{"check_errors", d.boolean(true), true}});
  sizes.insert(sizes.end(), rows.begin(), rows.end());
  return d.give(d.call("aten::reshape", {inverse, Decomposition::size_list(sizes)}));
}

/// `linalg_tensorsolve(self, other, dims)`: `dims` of the matrix go last.
inline Status tensor_solve(Decomposition& d) {
  Argument a = d[0];
  const std::size_t rank = d.rank(a), known = d.rank(d[1]);
  if (known > rank) return d.fail("expected no more than ", rank, " dimensions");
  if (const auto dims = d.integers_at(2); !dims.empty()) {
    std::vector<std::int64_t> last;
    const auto count = static_cast<std::int64_t>(dims.size());
    for (std::int64_t i = -count; i < 0; ++i) last.push_back(i);
    a = d.call("aten::movedim.intlist", {a, d.integers(dims), d.integers(last)});
  }
  const auto sizes = sizes_between(d, a, known, rank);
  const auto unknowns = product_of(d, sizes);
  const auto matrix =
      d.call("aten::reshape", {a, Decomposition::size_list({d.integer(-1), unknowns})});
  const auto right = d.call("aten::flatten.using_ints", {d[1]});
  const auto solution =
      d.call("aten::_linalg_solve_ex", {matrix, right, d.boolean(true), d.boolean(true)});
  return d.give(d.call("aten::reshape", {solution, Decomposition::size_list(sizes)}));
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
