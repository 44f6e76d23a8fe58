// The equation of an einsum, as labels of dimensions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0::detail {

/// One number a dimension; dimensions with the same label go together.
using Labels = std::vector<int>;

/// Labels of every operand and of the result.
struct EinsumLabels {
  std::vector<Labels> operands;
  Labels out;
};

/// Reads `"bij,bjk->bik"` for operands of these ranks. Letters are labels, `...` stands for any
/// leading dimensions, which broadcast from the right. Without an arrow the result has what
/// `...` stands for, then the letters that occur once, in order.
class EinsumParser {
 public:
  EinsumParser(std::string_view equation, std::vector<std::size_t> ranks)
      : text_(equation), ranks_(std::move(ranks)) {}

  Result<EinsumLabels> parse() {
    const std::size_t arrow = text_.find("->");
    std::string_view left = text_.substr(0, arrow);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const std::size_t comma = left.find(',');
      if ((comma == left.npos) != (i + 1 == ranks_.size()))
        return fail("does not have one term for each of ", ranks_.size(), " operands");
      TREADLE_TRY(Labels labels, term(left.substr(0, comma), ranks_[i]));
      parsed_.operands.push_back(std::move(labels));
      left.remove_prefix(comma == left.npos ? left.size() : comma + 1);
    }
    if (arrow == text_.npos) {
      implicit_result();
      return std::move(parsed_);
    }
    TREADLE_CHECK(explicit_result(text_.substr(arrow + 2)));
    return std::move(parsed_);
  }

 private:
  static constexpr int ellipsis =
      1000;  ///< labels from here on: dimensions of `...`, from the right

  template <class... Pieces>
  [[nodiscard]] Error fail(const Pieces&... pieces) const {
    return {ErrorCode::invalid_argument, concat("the equation '", text_, "' ", pieces...)};
  }
  static bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  Result<Labels> term(std::string_view text, std::size_t rank) {
    std::size_t letters = 0;
    for (const char c : text) letters += is_letter(c) ? 1 : 0;
    Labels labels;
    bool has_ellipsis = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (is_letter(text[i])) {
        labels.push_back(text[i]);
      } else if (text.substr(i, 3) == "..." && !has_ellipsis && letters <= rank) {
        has_ellipsis = true;
        for (std::size_t d = rank - letters; d-- > 0;)
          labels.push_back(ellipsis + static_cast<int>(d));
        widest_ = std::max(widest_, rank - letters);
        i += 2;
      } else if (text[i] != ' ') {
        return fail("can't be read at '", text.substr(i, 1), "'");
      }
    }
    if (labels.size() != rank)
      return fail("names ", labels.size(), " dimensions of an operand that has ", rank);
    return labels;
  }

  void add_ellipsis() {
    for (std::size_t d = widest_; d-- > 0;) parsed_.out.push_back(ellipsis + static_cast<int>(d));
  }

  void implicit_result() {
    add_ellipsis();
    for (int label = 0; label < ellipsis; ++label) {
      std::ptrdiff_t uses = 0;
      for (const Labels& labels : parsed_.operands)
        uses += std::count(labels.begin(), labels.end(), label);
      if (uses == 1) parsed_.out.push_back(label);
    }
  }

  Status explicit_result(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 3) == "...") {
        add_ellipsis();
        i += 2;
        continue;
      }
      if (text[i] == ' ') continue;
      const bool is_known =
          std::any_of(parsed_.operands.begin(), parsed_.operands.end(), [&](const Labels& labels) {
            return std::find(labels.begin(), labels.end(), text[i]) != labels.end();
          });
      const bool is_new =
          std::find(parsed_.out.begin(), parsed_.out.end(), text[i]) == parsed_.out.end();
      if (!is_letter(text[i]) || !is_known || !is_new)
        return fail("can't have '", text.substr(i, 1), "' there in its result");
      parsed_.out.push_back(text[i]);
    }
    return {};
  }

  std::string_view text_;
  std::vector<std::size_t> ranks_;
  std::size_t widest_ = 0;
  EinsumLabels parsed_;
};

/// Labels of `tensordot`, whose dimension lists are in range and of one length.
inline EinsumLabels tensordot_labels(std::size_t left, std::size_t right,
                                     const std::vector<std::size_t>& left_dims,
                                     const std::vector<std::size_t>& right_dims) {
  EinsumLabels labels;
  labels.operands.resize(2);
  for (std::size_t d = 0; d < left; ++d) {
    labels.operands[0].push_back(static_cast<int>(d));
    if (std::find(left_dims.begin(), left_dims.end(), d) == left_dims.end())
      labels.out.push_back(static_cast<int>(d));
  }
  for (std::size_t d = 0; d < right; ++d) {
    const auto at = std::find(right_dims.begin(), right_dims.end(), d);
    if (at == right_dims.end()) labels.out.push_back(static_cast<int>(left + d));
    labels.operands[1].push_back(
        at == right_dims.end()
            ? static_cast<int>(left + d)
            : static_cast<int>(left_dims[static_cast<std::size_t>(at - right_dims.begin())]));
  }
  return labels;
}

/// A chain of matrix products; the first and the last may be vectors.
inline EinsumLabels chain_labels(const std::vector<std::size_t>& ranks) {
  EinsumLabels labels;
  int next = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool is_row = i == 0 && ranks[i] == 1;
    if (!is_row && i == 0) labels.out.push_back(next++);
    Labels own;
    if (!is_row) own.push_back(next - 1);
    if (is_row || ranks[i] == 2) own.push_back(next++);
    labels.operands.push_back(std::move(own));
  }
  if (!ranks.empty() && (ranks.back() == 2 || ranks.size() == 1)) labels.out.push_back(next - 1);
  return labels;
}

}  // namespace treadle::inline v0::detail
