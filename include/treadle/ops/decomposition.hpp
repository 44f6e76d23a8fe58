// Writes an operator as other operators: what definitions of composite operators work with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_def.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/operand.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {

/// One node being replaced. A definition reads the arguments by their place in the schema, defaults
/// filled in, makes calls, and gives the results:
///
///     Status outer(Decomposition& d) {
///       const auto column = d.call("aten::unsqueeze", {d[0], d.integer(-1)});
///       return d.give(d.call("aten::mul.Tensor", {column, d[1]}));
///     }
///
/// The first failure sticks: later calls do nothing, and `give` returns it. New nodes stand before
/// the replaced one, with types from the operators' own shape rules.
///
/// Definitions run once for a program, so all that they call is marked as cold: compilers then make
/// them small. All operands and lists of them are handles of what this owns: they are valid as long
/// as it lives.
class Decomposition {
 public:
  /// All of these must outlive it. `arguments` are aligned with the schema.
  Decomposition(GraphBody& graph, NodeId node, const OpSet& ops, const Schema& schema,
                std::vector<Argument> arguments);
  Decomposition(const Decomposition&) = delete;
  Decomposition& operator=(const Decomposition&) = delete;
  ~Decomposition();

  // --- arguments ---------------------------------------------------------------------------------
  [[nodiscard]] Operand operator[](std::size_t i) const noexcept { return Operand(arguments_[i]); }
  [[nodiscard]] bool is_none(std::size_t i) const noexcept { return (*this)[i].is_none(); }
  /// A constant of the kind; `otherwise` if it is none or only known in a run.
  [[nodiscard, gnu::cold]] std::int64_t integer_at(std::size_t i,
                                                   std::int64_t otherwise) const noexcept;
  [[nodiscard, gnu::cold]] double real_at(std::size_t i, double otherwise) const noexcept;
  [[nodiscard, gnu::cold]] bool boolean_at(std::size_t i) const noexcept;
  [[nodiscard, gnu::cold]] std::string_view string_at(std::size_t i) const noexcept;
  /// Constant integers; empty if there are none.
  [[nodiscard, gnu::cold]] std::span<const std::int64_t> integers_at(std::size_t i) const noexcept;
  /// The items of a list; one item for anything else.
  [[nodiscard, gnu::cold]] Operands items_at(std::size_t i);

  /// What is known of a tensor; null if nothing is.
  [[nodiscard, gnu::cold]] const TensorType* type(Operand tensor) const noexcept;
  /// The rank and dtype of a tensor. Unknown ones fail the decomposition and count as 0 and
  /// float32.
  [[nodiscard, gnu::cold]] std::size_t rank(Operand tensor);
  [[nodiscard, gnu::cold]] DType dtype(Operand tensor);
  /// A dimension number in [0, rank); out of range ones fail.
  [[nodiscard, gnu::cold]] std::size_t dimension(std::int64_t dim, std::size_t rank);
  /// 0 to before `rank`.
  [[nodiscard, gnu::cold]] std::span<const std::int64_t> all_dimensions(std::size_t rank);

  /// How many tensors the program takes from result `i`, a list; nothing if it is unknown.
  [[nodiscard, gnu::cold]] std::optional<std::size_t> result_length(std::size_t i) const noexcept;

  // --- making ------------------------------------------------------------------------------------
  [[nodiscard, gnu::cold]] Operand integer(std::int64_t value);
  [[nodiscard, gnu::cold]] Operand real(double value);
  [[nodiscard, gnu::cold]] Operand boolean(bool value);
  [[nodiscard, gnu::cold]] Operand string(std::string_view value);
  [[nodiscard, gnu::cold]] Operand dtype_constant(DType value);
  template <std::size_t count>
  [[nodiscard]] Operand integers(const std::int64_t (&values)[count]) {
    if constexpr (count == 1) return integers_of(values[0]);
    if constexpr (count == 2) return integers_of(values[0], values[1]);
    return integers(std::span<const std::int64_t>(values));
  }
  [[nodiscard, gnu::cold]] Operand integers(std::span<const std::int64_t> values);
  [[nodiscard]] static Operand none() noexcept { return {}; }
  /// Several operands as one argument.
  [[nodiscard, gnu::cold]] Operand list(std::initializer_list<Operand> items);
  [[nodiscard, gnu::cold]] Operand list(Operands items);
  /// A list to fill, with these items to begin with.
  [[nodiscard]] OperandList make_list(std::initializer_list<Operand> items = {});
  [[nodiscard, gnu::cold]] OperandList make_list(Operands items);
  /// Anything else.
  [[nodiscard, gnu::cold]] Operand constant(Argument value);

  /// A call with one result. Arguments are by position; those left out get their defaults.
  template <std::size_t count>
  Operand call(const char* target, const Operand (&arguments)[count]) {
    // Few arguments fit into registers, which makes a definition half as long.
    if constexpr (count == 1) return call_of(target, arguments[0]);
    if constexpr (count == 2) return call_of(target, arguments[0], arguments[1]);
    if constexpr (count == 3) return call_of(target, arguments[0], arguments[1], arguments[2]);
    if constexpr (count == 4)
      return call_of(target, arguments[0], arguments[1], arguments[2], arguments[3]);
    return call(target, Operands(arguments));
  }
  template <std::size_t count>
  Operand call(std::string_view target, const Operand (&arguments)[count]) {
    return call(target, Operands(arguments));
  }
  [[gnu::cold]] Operand call(std::string_view target, Operands arguments);
  /// The same; `named` come after the positional ones.
  [[gnu::cold]] Operand call(std::string_view target, std::initializer_list<Operand> arguments,
                             std::initializer_list<NamedOperand> named);
  /// The same with `dtype=`, which operators that make tensors take.
  [[gnu::cold]] Operand call(std::string_view target, std::initializer_list<Operand> arguments,
                             DType dtype);
  /// The tensor converted.
  [[gnu::cold]] Operand as_dtype(Operand tensor, DType dtype);
  /// A call with several results, lists flattened. A result that is a list has `list_length` items.
  [[gnu::cold]] Operands call_all(std::string_view target, std::initializer_list<Operand> arguments,
                                  std::size_t list_length = 1);
  /// A size of a tensor: a number where it is known, else a value.
  [[gnu::cold]] Operand size(Operand tensor, std::size_t dim);
  /// The only element of a tensor, read in a run; `kind` says as what.
  [[gnu::cold]] Operand number(Operand tensor, ValueKind kind);
  /// The product of two sizes.
  [[gnu::cold]] Operand multiply(Operand a, Operand b);
  /// The sizes of dimensions from `first` to before `last`.
  [[nodiscard, gnu::cold]] OperandList sizes(Operand tensor, std::size_t first, std::size_t last);
  /// The product of sizes.
  [[gnu::cold]] Operand multiply_all(Operands sizes);
  /// The numbers 0 to before `rank` but one.
  [[nodiscard, gnu::cold]] Operand other_dimensions(std::size_t rank, std::size_t but);
  /// A list of sizes: a constant if all are known.
  [[nodiscard, gnu::cold]] Operand size_list(std::initializer_list<Operand> sizes);
  [[nodiscard, gnu::cold]] Operand size_list(Operands sizes);

  // --- results -----------------------------------------------------------------------------------
  /// Ends the definition; the status is what a definition returns.
  [[nodiscard, gnu::cold]] Status give(Operand result);
  [[nodiscard, gnu::cold]] Status give_all(std::initializer_list<Operand> results);
  [[nodiscard, gnu::cold]] Status give_all(Operands results);
  /// The result is also what the first argument means from here on: operators that change a
  /// tensor's sizes or strides in place.
  [[nodiscard, gnu::cold]] Status give_as_self(Operand result);
  /// Fails the decomposition.
  template <class... Pieces>
  [[nodiscard]] Status fail(const Pieces&... pieces) {
    const detail::Piece list[] = {pieces...};
    return fail_with(list, sizeof...(Pieces));
  }

  // --- for the pass that applies it --------------------------------------------------------------
  [[nodiscard]] Operands results() const noexcept { return results_; }
  [[nodiscard]] bool replaces_self() const noexcept { return replaces_self_; }

 private:
  [[gnu::cold]] Status fail_with(const detail::Piece* pieces, std::size_t count);
  void set_error(Error error);
  [[gnu::cold]] Operand integers_of(std::int64_t value);
  [[gnu::cold]] Operand integers_of(std::int64_t first, std::int64_t second);
  [[gnu::cold]] Operand call_of(const char* target, Operand a);
  [[gnu::cold]] Operand call_of(const char* target, Operand a, Operand b);
  [[gnu::cold]] Operand call_of(const char* target, Operand a, Operand b, Operand c);
  [[gnu::cold]] Operand call_of(const char* target, Operand a, Operand b, Operand c, Operand e);
  static void add_argument(Node& node, std::string_view name, Operand value, bool keyword);
  [[gnu::cold]] Operand call_with(std::string_view target, Operands arguments,
                                  std::span<const NamedOperand> named);
  [[gnu::cold]] Result<OperandList> make_call(std::string_view target, Operands arguments,
                                              std::span<const NamedOperand> named,
                                              std::size_t list_length);
  OperandList add_call(Node& node, std::vector<std::optional<TensorType>>& types);
  [[gnu::cold]] Operand add_number(std::string_view target,
                                   std::initializer_list<NamedOperand> arguments,
                                   GraphValue& value);
  void add(Node& node);

  std::vector<Argument> arguments_;
  GraphBody& graph_;
  NodeId node_;
  const OpSet& ops_;
  const Schema& schema_;
  std::forward_list<Argument> made_;               ///< what operands refer to
  std::forward_list<std::vector<Operand>> lists_;  ///< what lists of operands refer to
  std::vector<Operand> results_;
  std::optional<Error> error_;
  bool replaces_self_ = false;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/decomposition-inl.hpp>
#endif
