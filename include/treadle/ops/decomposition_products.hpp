// Definitions of composite products: einsum, tensordot, outer and their kin.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/decomposition_contract.hpp>

namespace treadle::inline v0::detail::composite {

// --- einsum --------------------------------------------------------------------------------------

/// Subscripts of ellipsis dimensions: this minus their distance from the right. They follow all
/// letters.
inline constexpr unsigned char ellipsis_label = 255;
inline bool is_ellipsis(char label) { return static_cast<unsigned char>(label) >= 128; }

/// Subscripts of one term of an equation; an ellipsis stands for what `rank` leaves.
inline Subscripts term_labels(Decomposition& d, std::string_view term, std::size_t rank) {
  Subscripts labels;
  std::size_t letters = 0;
  for (const char c : term) letters += c != '.' ? 1u : 0u;
  const bool dots = letters != term.size();
  if (dots ? letters > rank : letters != rank) {
    (void)d.fail("the term '", term, "' names ", letters, " dimensions of a tensor of rank ", rank);
    return Subscripts(rank, '?');
  }
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '.') {
      labels += term[i];
      continue;
    }
    if (term.substr(i, 3) != "...") {
      (void)d.fail("the term '", term, "' has a lone dot");
      return Subscripts(rank, '?');
    }
    for (std::size_t k = rank - letters; k-- > 0;) labels += static_cast<char>(ellipsis_label - k);
    i += 2;
  }
  return labels;
}

/// How many of the operands' dimensions have the label.
inline std::size_t uses(std::span<const Labelled> operands, char label) {
  std::size_t count = 0;
  for (const auto& operand : operands)
    for (const char own : operand.labels) count += own == label ? 1u : 0u;
  return count;
}

/// Output labels of an equation without an arrow: the ellipsis, then those that are there once.
inline Subscripts implied_output(std::span<const Labelled> operands) {
  Subscripts output;
  for (unsigned code = 128; code < 128 + 256; ++code) {
    const auto label = static_cast<char>(code % 256);
    const std::size_t count = uses(operands, label);
    if (is_ellipsis(label) ? count > 0 : count == 1) output += label;
  }
  return output;
}

/// Every output label must be in an operand, and once in the output.
inline bool fits_operands(const Subscripts& output, std::span<const Labelled> operands) {
  for (std::size_t i = 0; i < output.size(); ++i)
    if (uses(operands, output[i]) == 0 || output.find(output[i], i + 1) != Subscripts::npos)
      return false;
  return true;
}

/// The operands with the labels of their terms; `terms` is what stands before the arrow.
inline std::vector<Labelled> einsum_operands(Decomposition& d, std::string_view terms) {
  std::vector<Labelled> operands;
  const auto tensors = d.items_at(1);
  const auto commas = static_cast<std::size_t>(std::count(terms.begin(), terms.end(), ','));
  if (commas + 1 != tensors.size()) {
    (void)d.fail("the equation has ", commas + 1, " terms for ", tensors.size(), " operands");
    return operands;
  }
  for (const Operand tensor : tensors) {
    const auto comma = std::min(terms.find(','), terms.size());
    const std::size_t rank = d.rank(tensor);
    operands.push_back({tensor, term_labels(d, terms.substr(0, comma), rank)});
    terms.remove_prefix(std::min(comma + 1, terms.size()));
  }
  return operands;
}

inline Status einsum(Decomposition& d) {
  std::string equation;
  for (const char c : d.string_at(0))
    if (c != ' ') equation += c;
  const auto arrow = equation.find("->");
  auto operands = einsum_operands(d, std::string_view(equation).substr(0, arrow));
  if (operands.empty()) return d.give(d.none());
  Subscripts output = implied_output(operands);
  if (arrow != std::string::npos) {
    const auto term = std::string_view(equation).substr(arrow + 2);
    const bool dots = term.find('.') != std::string_view::npos;
    std::size_t rank = 0;
    for (const char label : output) rank += dots && is_ellipsis(label) ? 1u : 0u;
    for (const char c : term) rank += c != '.' ? 1u : 0u;
    output = term_labels(d, term, rank);
  }
  if (!fits_operands(output, operands))
    return d.fail("the output of '", equation, "' does not fit its operands");
  return d.give(Contraction(d).run(operands, output));
}

// --- contractions --------------------------------------------------------------------------------

/// So many labels, none of them twice.
inline Subscripts count_labels(std::size_t count, std::size_t first) {
  Subscripts labels;
  for (std::size_t i = 0; i < count; ++i) labels += static_cast<char>(first + i);
  return labels;
}
inline Status contract(Decomposition& d, const Subscripts& a, const Subscripts& b,
                       const Subscripts& output) {
  Labelled operands[] = {{d[0], a}, {d[1], b}};
  return d.give(Contraction(d).run(operands, output));
}

inline Status tensordot(Decomposition& d) {
  const std::size_t rank_a = d.rank(d[0]), rank_b = d.rank(d[1]);
  const auto dims_a = d.integers_at(2), dims_b = d.integers_at(3);
  if (dims_a.size() != dims_b.size())
    return d.fail("expected as many dimensions of one tensor as of the other, found ",
                  dims_a.size(), " and ", dims_b.size());
  const Subscripts a = count_labels(rank_a, 0);
  Subscripts b = count_labels(rank_b, rank_a), summed;
  for (std::size_t i = 0; i < dims_a.size(); ++i) {
    if (rank_a == 0 || rank_b == 0) return d.fail("a 0-d tensor has no dimension to sum over");
    const char label = a[d.dimension(dims_a[i], rank_a)];
    b[d.dimension(dims_b[i], rank_b)] = label;
    summed += label;
  }
  Subscripts output;
  for (const char label : a + b)
    if (!contains(summed, label)) output += label;
  return contract(d, a, b, output);
}

inline Status inner(Decomposition& d) {
  const std::size_t rank_a = d.rank(d[0]), rank_b = d.rank(d[1]);
  if (rank_a == 0 || rank_b == 0) return d.give(d.call("aten::mul.Tensor", {d[0], d[1]}));
  const Subscripts a = count_labels(rank_a - 1, 1), b = count_labels(rank_b - 1, rank_a);
  return contract(d, a + '\0', b + '\0', a + b);
}

inline Status outer(Decomposition& d) {
  if (d.rank(d[0]) != 1 || d.rank(d[1]) != 1)
    return d.fail("expected 1-d tensors, found ranks ", d.rank(d[0]), " and ", d.rank(d[1]));
  const auto column = d.call("aten::unsqueeze", {d[0], d.integer(1)});
  return d.give(d.call("aten::mul.Tensor", {column, d[1]}));
}

inline Status addr(Decomposition& d) {
  const auto column = d.call("aten::unsqueeze", {d[1], d.integer(1)});
  auto product = d.call("aten::mul.Tensor", {column, d[2]});
  if (d.real_at(4, 0) != 1) product = d.call("aten::mul.Tensor", {product, d[4]});
  if (d.real_at(3, 1) == 0) return d.give(product);
  auto self = d[0];
  if (d.real_at(3, 0) != 1) self = d.call("aten::mul.Tensor", {self, d[3]});
  return d.give(d.call("aten::add.Tensor", {self, product}));
}

inline Status bilinear(Decomposition& d) {
  const std::size_t rank = d.rank(d[0]);
  if (rank == 0 || d.rank(d[1]) != rank || d.rank(d[2]) != 3)
    return d.fail("expected two tensors of one rank and a weight of rank 3");
  const Subscripts batch = count_labels(rank - 1, 3);
  Labelled operands[] = {{d[0], batch + '\1'}, {d[2], count_labels(3, 0)}, {d[1], batch + '\2'}};
  const auto product = Contraction(d).run(operands, batch + '\0');
  return d.give(d.is_none(3) ? product : d.call("aten::add.Tensor", {product, d[3]}));
}

inline Status vecdot(Decomposition& d) {
  auto x = d[0];
  if (is_complex(d.dtype(x))) x = d.call("aten::conj", {x});
  const auto product = d.call("aten::mul.Tensor", {x, d[1]});
  return d.give(d.call("aten::sum.dim_IntList", {product, d.integers({d.integer_at(2, -1)})}));
}

inline Status vdot(Decomposition& d) {
  auto x = d[0];
  if (is_complex(d.dtype(x))) x = d.call("aten::conj", {x});
  return d.give(d.call("aten::dot", {x, d[1]}));
}

inline Status kron(Decomposition& d) {
  const std::size_t rank_a = d.rank(d[0]), rank_b = d.rank(d[1]);
  const std::size_t rank = std::max(rank_a, rank_b);
  auto a = d.make_list(), b = d.make_list(), sizes = d.make_list();
  for (std::size_t i = 0; i < rank; ++i) {
    const auto size = [&](Operand tensor, std::size_t own) {
      return i + own < rank ? d.integer(1) : d.size(tensor, i + own - rank);
    };
    const Operand x = size(d[0], rank_a), y = size(d[1], rank_b);
    a.append({x, d.integer(1)});
    b.append({d.integer(1), y});
    sizes.push_back(d.multiply(x, y));
  }
  const auto reshape = [&](Operand tensor, Operands to) {
    return d.call("aten::reshape", {tensor, d.size_list(to)});
  };
  const auto product = d.call("aten::mul.Tensor", {reshape(d[0], a), reshape(d[1], b)});
  return d.give(reshape(product, sizes));
}

inline Status chain(Decomposition& d) {
  const auto matrices = d.items_at(0);
  if (matrices.empty()) return d.fail("expected at least one matrix");
  Operand product = matrices[0];
  for (std::size_t i = 1; i < matrices.size(); ++i)
    product = d.call("aten::matmul", {product, matrices[i]});
  return d.give(product);
}

/// By squaring; negative powers are those of the inverse.
inline Status matrix_power(Decomposition& d) {
  if (!d[1].integer()) return d.fail("expected a constant power");
  std::int64_t n = d.integer_at(1, 0);
  const bool inverted = n < 0 && n > -(std::int64_t{1} << 62);
  if (inverted) n = -n;
  const std::size_t rank = d.rank(d[0]);
  if (rank < 2) return d.fail("expected a tensor of rank 2 at least, found ", rank);
  if (n == 0) {
    const auto side = d.size(d[0], rank - 1);
    const auto eye = d.call("aten::eye", {side}, d.dtype(d[0]));
    return d.give(d.call("aten::clone", {d.call("aten::expand_as", {eye, d[0]})}));
  }
  Operand square = inverted ? d.call("aten::linalg_inv_ex", {d[0], d.boolean(true)}) : d[0];
  Operand product;
  for (bool first = true; n > 0; n >>= 1) {
    if (n & 1) {
      product = first ? square : d.call("aten::matmul", {product, square});
      first = false;
    }
    if (n > 1) square = d.call("aten::matmul", {square, square});
  }
  return d.give(d.integer_at(1, 0) == 1 ? d.call("aten::clone", {product}) : product);
}

inline Status cross(Decomposition& d, std::int64_t dim) {
  const auto roll = [&](Operand tensor, std::int64_t by) {
    return d.call("aten::roll", {tensor, d.integers({by}), d.integers({dim})});
  };
  const auto a = d.call("aten::mul.Tensor", {roll(d[0], -1), roll(d[1], -2)});
  const auto b = d.call("aten::mul.Tensor", {roll(d[0], -2), roll(d[1], -1)});
  return d.give(d.call("aten::sub.Tensor", {a, b}));
}
inline Status linalg_cross(Decomposition& d) { return cross(d, d.integer_at(2, -1)); }
/// Without a dimension the first of size 3 counts.
inline Status plain_cross(Decomposition& d) {
  if (!d.is_none(2)) return cross(d, d.integer_at(2, -1));
  for (std::size_t i = 0; i < d.rank(d[0]); ++i)
    if (d.size(d[0], i).is(3)) return cross(d, static_cast<std::int64_t>(i));
  return d.fail("no dimension is known to be of size 3");
}

inline Status trace(Decomposition& d) {
  return d.give(d.call("aten::sum", {d.call("aten::diagonal", {d[0]})}));
}

inline Status addmm_activation(Decomposition& d) {
  const auto sum = d.call("aten::addmm", {d[0], d[1], d[2], d[3], d[4]});
  if (!d.boolean_at(5)) return d.give(d.call("aten::relu", {sum}));
  return d.give(d.call("aten::gelu", {sum, d.string("tanh")}));
}

}  // namespace treadle::inline v0::detail::composite
