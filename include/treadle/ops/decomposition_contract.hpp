// Sums of products over named dimensions as batched matrix products.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail {

/// One character for each dimension of a tensor; equal ones mean the same index.
using Subscripts = std::string;

[[nodiscard]] inline bool contains(const Subscripts& labels, char label) noexcept {
  return labels.find(label) != Subscripts::npos;
}

struct Labelled {
  Operand tensor;
  Subscripts labels;
};

/// Contracts tensors step by step.
class Contraction {
 public:
  explicit Contraction(Decomposition& d) : d_(d) {}

  /// The sum over all labels that are not in `output`, dimensions in its order. Subscripts of size
  /// 1 broadcast. Every output label is in an operand.
  Operand run(std::span<Labelled> operands, const Subscripts& output) {
    for (auto& operand : operands) take_diagonals(operand);
    for (const auto& operand : operands) note_sizes(operand);
    Labelled& result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) {
      Subscripts needed = output;
      for (const auto& later : operands.subspan(i + 1)) needed += later.labels;
      multiply(result, operands[i], needed);
    }
    sum_out(result, output, {});
    return arrange(result, output);
  }

 private:
  /// Repeated labels of one tensor become its diagonal.
  void take_diagonals(Labelled& operand) {
    auto& labels = operand.labels;
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t k = i + 1; k < labels.size(); ++k) {
        if (labels[i] != labels[k]) continue;
        const char label = labels[i];
        operand.tensor = d_.call("aten::diagonal", {operand.tensor, d_.integer(0),
                                                    d_.integer(static_cast<std::int64_t>(i)),
                                                    d_.integer(static_cast<std::int64_t>(k))});
        labels.erase(k, 1);
        labels.erase(i, 1);
        labels += label;
        return take_diagonals(operand);
      }
  }

  Operand& size_of(char label) { return sizes_[static_cast<unsigned char>(label)]; }

  void note_sizes(const Labelled& operand) {
    for (std::size_t i = 0; i < operand.labels.size(); ++i) {
      const Operand size = d_.size(operand.tensor, i);
      Operand& known = size_of(operand.labels[i]);
      if (known.is_none() || known.is(1)) known = size;
      if (size.is(1)) continue;
      const auto* a = known.integer();
      const auto* b = size.integer();
      if (a && b && *a != *b) (void)d_.fail("sizes ", *a, " and ", *b, " of one index do not fit");
    }
  }

  /// Sums over labels that are neither in `kept` nor in `other`.
  void sum_out(Labelled& operand, const Subscripts& kept, const Subscripts& other) {
    auto dims = d_.make_list();
    Subscripts labels;
    for (const char label : operand.labels)
      if (contains(kept, label) || contains(other, label))
        labels += label;
      else
        dims.push_back(place(operand, label));
    if (dims.empty()) return;
    operand.tensor = d_.call("aten::sum.dim_IntList", {operand.tensor, d_.size_list(dims)});
    operand.labels = labels;
  }

  Operand place(const Labelled& operand, char label) {
    return d_.integer(static_cast<std::int64_t>(operand.labels.find(label)));
  }

  /// The tensor with its dimensions in this order, which has the same labels.
  Operand arrange(const Labelled& operand, const Subscripts& order) {
    if (operand.labels == order) return operand.tensor;
    auto dims = d_.make_list();
    for (const char label : order) dims.push_back(place(operand, label));
    return d_.call("aten::permute", {operand.tensor, d_.size_list(dims)});
  }

  OperandList sizes_of(const Subscripts& labels) {
    auto sizes = d_.make_list();
    for (const char label : labels) sizes.push_back(size_of(label));
    return sizes;
  }
  Operand count(const Subscripts& labels) { return d_.multiply_all(sizes_of(labels)); }

  /// Dimensions of size 1 grow to the size that their label has.
  Operand grow(const Labelled& operand, const Subscripts& order) {
    const Operand tensor = arrange(operand, order);
    const auto sizes = sizes_of(order);
    bool grows = false;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      grows |= d_.size(tensor, i).is(1) && !sizes[i].is(1);
    return grows ? d_.call("aten::expand", {tensor, d_.size_list(sizes)}) : tensor;
  }

  /// `a` becomes the product.
  void multiply(Labelled& a, Labelled& b, const Subscripts& needed) {
    sum_out(a, needed, b.labels);
    sum_out(b, needed, a.labels);
    Subscripts batch, left, right, summed;
    for (const char label : a.labels) {
      const bool stays = contains(needed, label);
      (!contains(b.labels, label) ? left : stays ? batch : summed) += label;
    }
    for (const char label : b.labels)
      if (!contains(a.labels, label)) right += label;
    const Operand rows = count(left), columns = count(right), inner = count(summed),
                  batches = count(batch);
    const auto reshape = [&](Operand tensor, Operand sizes) {
      return d_.call("aten::reshape", {tensor, sizes});
    };
    const Operand x = reshape(grow(a, batch + left + summed), d_.size_list({batches, rows, inner}));
    const Operand y =
        reshape(grow(b, batch + summed + right), d_.size_list({batches, inner, columns}));
    a.labels = batch + left + right;
    a.tensor = reshape(d_.call("aten::bmm", {x, y}), d_.size_list(sizes_of(a.labels)));
  }

  Decomposition& d_;
  std::array<Operand, 256> sizes_;
};

}  // namespace treadle::inline v0::detail
