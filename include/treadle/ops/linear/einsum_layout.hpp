// How the elements of an einsum's result lie in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <treadle/graph/types.hpp>
#include <treadle/ops/linear/einsum_equation.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// Follows PyTorch from the left, two operands at a time. Every operand is seen with one dimension
/// a label: those of the result in its order, then those summed over; a label that an operand lacks
/// has size 1.
class EinsumLayout {
 public:
  EinsumLayout(const treadle::detail::EinsumLabels& labels,
               const std::vector<const TensorType*>& operands)
      : out_rank_(labels.out.size()) {
    for (std::size_t i = 0; i < out_rank_; ++i) place_.emplace(labels.out[i], i);
    std::map<int, std::size_t> uses;
    for (const auto& own : labels.operands)
      for (const int label : own) ++uses[label];
    for (const auto& [label, count] : uses) place_.emplace(label, place_.size());
    counts_.assign(place_.size(), 0);
    for (std::size_t i = 0; i < operands.size(); ++i)
      terms_.push_back(spread(*operands[i], labels.operands[i]));
  }

  /// True if the result shows elements of the only operand.
  [[nodiscard]] bool is_view() const { return terms_.size() == 1 && counts_.size() == out_rank_; }
  /// Sizes and strides of the result, which are those of the view if it is one.
  [[nodiscard]] SymDims strides(const SymDims& sizes) {
    if (is_view()) return terms_[0].strides;
    if (terms_.size() == 1) return contiguous_strides(sizes);
    TensorType left = terms_[0];
    for (std::size_t i = 1; i < terms_.size(); ++i) left = contract(left, terms_[i]);
    left.strides.resize(out_rank_);
    return left.strides;
  }

 private:
  TensorType spread(const TensorType& operand, const treadle::detail::Labels& labels) {
    TensorType term = operand;
    term.sizes.assign(place_.size(), SymInt(1));
    term.strides.assign(place_.size(), SymInt(0));
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const std::size_t at = place_.at(labels[d]);
      term.sizes[at] = operand.sizes[d];
      term.strides[at] = term.strides[at] + operand.strides[d];
    }
    for (std::size_t d = 0; d < counts_.size(); ++d) counts_[d] += term.sizes[d].is(1) ? 0 : 1;
    return term;
  }

  /// `term` summed over one dimension: row-major new memory.
  static void sum_out(TensorType& term, const std::vector<std::size_t>& dims) {
    if (dims.empty()) return;
    for (const std::size_t d : dims) term.sizes[d] = 1;
    term.strides = contiguous_strides(term.sizes);
  }

  TensorType contract(TensorType a, TensorType b) {
    std::vector<std::size_t> both, only_a, only_b;
    for (std::size_t d = out_rank_; d < counts_.size(); ++d) {
      const bool in_a = !a.sizes[d].is(1), in_b = !b.sizes[d].is(1);
      if (in_a && in_b) {
        if (--counts_[d] == 1) both.push_back(d);
      } else if (counts_[d] == 1 && (in_a || in_b)) {
        (in_a ? only_a : only_b).push_back(d);
      }
    }
    sum_out(a, only_a);
    sum_out(b, only_b);
    return multiplied(a, b, both);
  }

  /// A product without sums is elementwise; one with sums is a batch of matrix products: common
  /// dimensions, then those of the left operand, then the others, which lie innermost.
  static TensorType multiplied(const TensorType& a, const TensorType& b,
                               const std::vector<std::size_t>& sums) {
    TensorType out = a;
    for (std::size_t d = 0; d < out.rank(); ++d)
      if (out.sizes[d].is(1)) out.sizes[d] = b.sizes[d];
    if (sums.empty()) {
      const TensorType* inputs[] = {&a, &b};
      out.strides = elementwise_strides(out.sizes, inputs);
      return out;
    }
    for (const std::size_t d : sums) out.sizes[d] = 1;
    std::vector<std::size_t> common, left, right;
    for (std::size_t d = 0; d < out.rank(); ++d) {
      const bool in_a = !a.sizes[d].is(1), in_b = !b.sizes[d].is(1);
      (in_a && in_b ? common : in_a ? left : right).push_back(d);
    }
    // An operand whose dimensions all come first in the result is the left one.
    if (!left.empty() && !right.empty() && left.front() > right.back()) std::swap(left, right);
    std::vector<std::size_t> order = common;
    order.insert(order.end(), left.begin(), left.end());
    order.insert(order.end(), right.begin(), right.end());
    SymInt step = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      out.strides[order[i]] = step;
      step = step * out.sizes[order[i]];
    }
    return out;
  }

  std::size_t out_rank_;
  std::map<int, std::size_t> place_;  ///< of a label among the dimensions
  std::vector<int> counts_;           ///< operands in which a dimension is not 1
  std::vector<TensorType> terms_;
};

}  // namespace treadle::inline v0::rules
