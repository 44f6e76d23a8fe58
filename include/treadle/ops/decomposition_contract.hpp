// Sums of products over named dimensions as batched matrix products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail {

/// A tensor with a number for each of its dimensions; equal numbers mean the same index.
struct Labelled {
  Argument tensor;
  std::vector<int> labels;

  [[nodiscard]] bool has(int label) const noexcept {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }
};

/// Contracts tensors step by step.
class Contraction {
 public:
  explicit Contraction(Decomposition& d) : d_(d) {}

  /// The sum over all labels that are not in `output`, dimensions in its order. Labels of size 1
  /// broadcast. Every output label is in an operand.
  Argument run(std::vector<Labelled> operands, const std::vector<int>& output) {
    for (auto& operand : operands) take_diagonals(operand);
    for (const auto& operand : operands) note_sizes(operand);
    Labelled result = std::move(operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      std::vector<int> needed = output;
      for (std::size_t k = i + 1; k < operands.size(); ++k)
        needed.insert(needed.end(), operands[k].labels.begin(), operands[k].labels.end());
      result = multiply(std::move(result), std::move(operands[i]), needed);
    }
    sum_out(result, output, nullptr);
    return arrange(result, output);
  }

 private:
  /// Repeated labels of one tensor become its diagonal.
  void take_diagonals(Labelled& operand) {
    auto& labels = operand.labels;
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t k = i + 1; k < labels.size(); ++k) {
        if (labels[i] != labels[k]) continue;
        const int label = labels[i];
        operand.tensor = d_.call("aten::diagonal", {operand.tensor, d_.integer(0),
                                                    d_.integer(static_cast<std::int64_t>(i)),
                                                    d_.integer(static_cast<std::int64_t>(k))});
        labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(k));
        labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
        labels.push_back(label);
        return take_diagonals(operand);
      }
  }

  static bool is_one(const Argument& size) {
    const auto* n = size.get<std::int64_t>();
    return n && *n == 1;
  }

  void note_sizes(const Labelled& operand) {
    for (std::size_t i = 0; i < operand.labels.size(); ++i) {
      const Argument size = d_.size(operand.tensor, i);
      const auto [known, fresh] = sizes_.emplace(operand.labels[i], size);
      if (fresh || is_one(size)) continue;
      if (is_one(known->second)) known->second = size;
      const auto* a = known->second.get<std::int64_t>();
      const auto* b = size.get<std::int64_t>();
      if (a && b && *a != *b) (void)d_.fail("sizes ", *a, " and ", *b, " of one index do not fit");
    }
  }

  /// Sums over labels that are neither in `kept` nor in `other`.
  void sum_out(Labelled& operand, const std::vector<int>& kept, const Labelled* other) {
    std::vector<std::int64_t> dims;
    std::vector<int> labels;
    for (std::size_t i = 0; i < operand.labels.size(); ++i) {
      const int label = operand.labels[i];
      const bool stays =
          std::find(kept.begin(), kept.end(), label) != kept.end() || (other && other->has(label));
      if (stays)
        labels.push_back(label);
      else
        dims.push_back(static_cast<std::int64_t>(i));
    }
    if (dims.empty()) return;
    operand.tensor = d_.call("aten::sum.dim_IntList", {operand.tensor, d_.integers(dims)});
    operand.labels = std::move(labels);
  }

  /// The tensor with its dimensions in this order, which has the same labels.
  Argument arrange(const Labelled& operand, const std::vector<int>& order) {
    if (operand.labels == order) return operand.tensor;
    std::vector<std::int64_t> dims;
    for (const int label : order) {
      const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
      dims.push_back(at - operand.labels.begin());
    }
    return d_.call("aten::permute", {operand.tensor, d_.integers(std::move(dims))});
  }

  Argument size_of(const std::vector<int>& labels) {
    Argument size = d_.integer(1);
    for (const int label : labels) size = d_.multiply(size, sizes_.at(label));
    return size;
  }

  /// Dimensions of size 1 grow to the size that their label has.
  Argument grow(const Labelled& operand, const std::vector<int>& order) {
    Argument tensor = arrange(operand, order);
    bool grows = false;
    std::vector<Argument> sizes;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sizes.push_back(sizes_.at(order[i]));
      grows |= is_one(d_.size(tensor, i)) && !is_one(sizes.back());
    }
    return grows ? d_.call("aten::expand", {tensor, Decomposition::size_list(sizes)}) : tensor;
  }

  Labelled multiply(Labelled a, Labelled b, const std::vector<int>& needed) {
    sum_out(a, needed, &b);
    sum_out(b, needed, &a);
    std::vector<int> batch, left, right, summed;
    for (const int label : a.labels) {
      const bool stays = std::find(needed.begin(), needed.end(), label) != needed.end();
      (!b.has(label) ? left : stays ? batch : summed).push_back(label);
    }
    for (const int label : b.labels)
      if (!a.has(label)) right.push_back(label);
    const auto join = [](std::vector<int> x, const std::vector<int>& y, const std::vector<int>& z) {
      x.insert(x.end(), y.begin(), y.end());
      x.insert(x.end(), z.begin(), z.end());
      return x;
    };
    const Argument rows = size_of(left), columns = size_of(right), inner = size_of(summed),
                   batches = size_of(batch);
    const auto reshape = [&](const Argument& tensor, std::vector<Argument> sizes) {
      return d_.call("aten::reshape", {tensor, Decomposition::size_list(sizes)});
    };
    const Argument x = reshape(grow(a, join(batch, left, summed)), {batches, rows, inner});
    const Argument y = reshape(grow(b, join(batch, summed, right)), {batches, inner, columns});
    Labelled out;
    out.labels = join(batch, left, right);
    std::vector<Argument> sizes;
    for (const int label : out.labels) sizes.push_back(sizes_.at(label));
    out.tensor = reshape(d_.call("aten::bmm", {x, y}), std::move(sizes));
    return out;
  }

  Decomposition& d_;
  std::map<int, Argument> sizes_;
};

}  // namespace treadle::inline v0::detail
