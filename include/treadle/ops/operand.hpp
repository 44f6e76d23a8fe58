// What definitions of operators compute with: arguments and results of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/graph/argument.hpp>

namespace treadle::inline v0 {

/// An argument of the node that is replaced, a constant, or a result of a call. Refers to what its
/// `Decomposition` owns and means nothing once that is gone; copies are free. By default None.
class Operand {
 public:
  Operand() noexcept = default;
  /// `argument` must outlive it.
  explicit Operand(const Argument& argument) noexcept : argument_(&argument) {}

  [[nodiscard]] bool is_none() const noexcept;
  /// Null if it is not a value of the graph.
  [[nodiscard]] const ValueId* value() const noexcept;
  [[nodiscard]] const Constant* constant() const noexcept;
  /// The constant as a `T`, or null if it is anything else.
  template <class T>
  [[nodiscard]] const T* get() const noexcept {
    return std::get_if<T>(constant());
  }
  [[nodiscard]] const std::int64_t* integer() const noexcept;
  [[nodiscard]] const Argument::List* list() const noexcept;
  /// Is it this constant integer?
  [[nodiscard]] bool is(std::int64_t n) const noexcept;
  /// What a node gets.
  [[nodiscard]] Argument argument() const;

  /// By content.
  friend bool operator==(Operand a, Operand b) { return a.equals(b); }

 private:
  [[nodiscard]] bool equals(Operand other) const;

  const Argument* argument_ = nullptr;
};

/// Several of them, which a `Decomposition` owns too.
using Operands = std::span<const Operand>;

/// A list to fill: a handle too, of what its `Decomposition` owns. Taken where `Operands` are.
class OperandList {
 public:
  explicit OperandList(std::vector<Operand>& items) noexcept : items_(&items) {}

  void push_back(Operand item);
  void append(Operands items);
  void append(std::initializer_list<Operand> items);

  [[nodiscard]] std::size_t size() const noexcept { return items_->size(); }
  [[nodiscard]] bool empty() const noexcept { return items_->empty(); }
  [[nodiscard]] Operand& operator[](std::size_t i) const noexcept { return (*items_)[i]; }
  [[nodiscard]] Operand* begin() const noexcept { return items_->data(); }
  [[nodiscard]] Operand* end() const noexcept { return items_->data() + items_->size(); }

 private:
  std::vector<Operand>* items_;
};

/// A keyword argument of a call.
struct NamedOperand {
  std::string_view name;
  Operand value;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/operand-inl.hpp>
#endif
