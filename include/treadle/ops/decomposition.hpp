// Writes an operator as other operators: what definitions of composite operators work with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_def.hpp>
#include <treadle/ops/op_set.hpp>
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
class Decomposition {
 public:
  /// All of these must outlive it. `arguments` are aligned with the schema.
  Decomposition(GraphBody& graph, NodeId node, const OpSet& ops, const Schema& schema,
                std::vector<Argument> arguments)
      : graph_(graph), node_(node), ops_(ops), schema_(schema), arguments_(std::move(arguments)) {}

  // --- arguments ---------------------------------------------------------------------------------
  [[nodiscard]] const Argument& operator[](std::size_t i) const noexcept { return arguments_[i]; }
  [[nodiscard]] bool is_none(std::size_t i) const noexcept { return arguments_[i].is_none(); }
  /// A constant of the kind; `otherwise` if it is none or only known in a run.
  [[nodiscard]] std::int64_t integer_at(std::size_t i, std::int64_t otherwise) const noexcept;
  [[nodiscard]] double real_at(std::size_t i, double otherwise) const noexcept;
  [[nodiscard]] bool boolean_at(std::size_t i) const noexcept;
  [[nodiscard]] std::string_view string_at(std::size_t i) const noexcept;
  /// Constant integers; empty if there are none.
  [[nodiscard]] std::vector<std::int64_t> integers_at(std::size_t i) const;
  /// The items of a list; one item for anything else.
  [[nodiscard]] std::vector<Argument> items_at(std::size_t i) const;

  /// What is known of a tensor; null if nothing is.
  [[nodiscard]] const TensorType* type(const Argument& tensor) const noexcept;
  /// The rank and dtype of a tensor. Unknown ones fail the decomposition and count as 0 and
  /// float32.
  [[nodiscard]] std::size_t rank(const Argument& tensor);
  [[nodiscard]] DType dtype(const Argument& tensor);
  /// A dimension number in [0, rank); out of range ones fail.
  [[nodiscard]] std::size_t dimension(std::int64_t dim, std::size_t rank);

  /// How many tensors the program takes from result `i`, a list; nothing if it is unknown.
  [[nodiscard]] std::optional<std::size_t> result_length(std::size_t i) const noexcept;

  // --- making ------------------------------------------------------------------------------------
  [[nodiscard]] static Argument integer(std::int64_t value) { return Constant(value); }
  [[nodiscard]] static Argument real(double value) { return Constant(value); }
  [[nodiscard]] static Argument boolean(bool value) { return Constant(value); }
  [[nodiscard]] static Argument integers(std::vector<std::int64_t> values) {
    return Constant(std::move(values));
  }
  [[nodiscard]] static Argument none() { return Constant(None{}); }

  /// A call with one result. Arguments are by position; those left out get their defaults.
  Argument call(std::string_view target, std::vector<Argument> arguments);
  /// The same; `named` come after the positional ones.
  Argument call(std::string_view target, std::vector<Argument> arguments,
                std::vector<NamedArgument> named);
  /// A call with several results, lists flattened. A result that is a list has `list_length` items.
  std::vector<Argument> call_all(std::string_view target, std::vector<Argument> arguments,
                                 std::size_t list_length = 1);
  /// A size of a tensor: a number where it is known, else a value.
  Argument size(const Argument& tensor, std::size_t dim);
  /// The only element of a tensor, read in a run; `kind` says as what.
  Argument number(const Argument& tensor, ValueKind kind);
  /// The product of two sizes.
  Argument multiply(const Argument& a, const Argument& b);
  /// A list of sizes: a constant if all are known.
  [[nodiscard]] static Argument size_list(const std::vector<Argument>& sizes);

  // --- results -----------------------------------------------------------------------------------
  /// Ends the definition; the status is what a definition returns.
  [[nodiscard]] Status give(Argument result) { return give_all({std::move(result)}); }
  [[nodiscard]] Status give_all(std::vector<Argument> results);
  /// The result is also what the first argument means from here on: operators that change a
  /// tensor's sizes or strides in place.
  [[nodiscard]] Status give_as_self(Argument result);
  /// Fails the decomposition.
  template <class... Pieces>
  [[nodiscard]] Status fail(const Pieces&... pieces) {
    const detail::Piece list[] = {pieces...};
    set_error(detail::join_error(ErrorCode::type_mismatch, schema_.name, list, sizeof...(Pieces)));
    return error_->clone();
  }

  // --- for the pass that applies it --------------------------------------------------------------
  [[nodiscard]] const std::vector<Argument>& results() const noexcept { return results_; }
  [[nodiscard]] bool replaces_self() const noexcept { return replaces_self_; }

 private:
  void set_error(Error error) {
    if (!error_) error_ = std::move(error);
  }
  Result<std::vector<Argument>> make_call(std::string_view target, std::vector<Argument> arguments,
                                          std::vector<NamedArgument> named,
                                          std::size_t list_length);
  std::vector<Argument> add_call(Node node, std::vector<std::optional<TensorType>> types);
  void add(Node node);

  GraphBody& graph_;
  NodeId node_;
  const OpSet& ops_;
  const Schema& schema_;
  std::vector<Argument> arguments_;
  std::vector<Argument> results_;
  std::optional<Error> error_;
  bool replaces_self_ = false;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/decomposition-inl.hpp>
#endif
