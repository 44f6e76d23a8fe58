// What is known about the value of an expression before its symbols are bound.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/symbolic/expr.hpp>
#include <treadle/symbolic/interval.hpp>

namespace treadle::inline v0 {

/// The range of each symbol, in order of name; a symbol without one may be any number.
class Ranges {
 public:
  using Entry = std::pair<std::string, Interval>;

  void set(std::string_view symbol, Interval range) {
    const auto at = std::ranges::lower_bound(entries_, symbol, {}, key);
    if (at != entries_.end() && at->first == symbol)
      at->second = range;
    else
      entries_.emplace(at, symbol, range);
  }
  [[nodiscard]] Interval find(std::string_view symbol) const noexcept {
    const auto at = std::ranges::lower_bound(entries_, symbol, {}, key);
    return at != entries_.end() && at->first == symbol ? at->second : Interval{};
  }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  friend bool operator==(const Ranges&, const Ranges&) noexcept = default;

 private:
  static std::string_view key(const Entry& entry) noexcept { return entry.first; }

  std::vector<Entry> entries_;
};

/// An interval that holds every value that the expression evaluates to while its symbols are in
/// their ranges. Conditions count as 0 and 1. A value that may be NaN has no bounds.
[[nodiscard]] Interval bound(const Expr& expr, const Ranges& ranges);

/// Does the condition hold, whatever the symbols are within their ranges?
[[nodiscard]] bool surely_true(const Expr& condition, const Ranges& ranges);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/bounds-inl.hpp>
#endif
