// The value of an expression once its symbols are bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr.hpp>
#include <treadle/symbolic/number.hpp>
#include <treadle/symbolic/sym_int.hpp>

namespace treadle::inline v0 {

/// Values of symbols, in order of name. Lookup is logarithmic.
class Bindings {
 public:
  using Entry = std::pair<std::string, std::int64_t>;

  /// Binds a symbol, or binds it anew.
  void set(std::string_view symbol, std::int64_t value);
  /// The value of a symbol; null if it is not bound.
  [[nodiscard]] const std::int64_t* find(std::string_view symbol) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  void clear() noexcept { entries_.clear(); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  friend bool operator==(const Bindings& a, const Bindings& b) noexcept { return a.equals(b); }

 private:
  [[nodiscard]] std::size_t place(std::string_view symbol) const noexcept;
  [[nodiscard]] bool equals(const Bindings& other) const noexcept;

  std::vector<Entry> entries_;
};

/// Evaluates as Python would. An unbound symbol, overflow of 64 bits, division by zero and a result
/// that is not real are `invalid_argument` errors that name the part that failed. Choices, `and`
/// and `or` evaluate only the operands they need.
[[nodiscard]] Result<Number> evaluate(const Expr& expr, const Bindings& bindings);

/// Evaluates a size; a float is an error unless it is a whole number.
[[nodiscard]] Result<std::int64_t> evaluate(const SymInt& size, const Bindings& bindings);

/// Adds the name of every symbol of an expression, each once, in order of first appearance.
void collect_symbols(const Expr& expr, std::vector<std::string>& names);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/evaluate-inl.hpp>
#endif
