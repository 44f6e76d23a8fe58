// The records a graph is made of: values and nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/ids.hpp>
#include <treadle/core/small_vector.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0 {

/// A value of a graph: what one node makes, or a graph input.
struct GraphValue {
  std::string name;  ///< unique in its graph
  ValueKind kind = ValueKind::tensor;
  std::optional<TensorType> tensor;  ///< what the program says of a tensor
  Expr symbolic;                     ///< what the program says of a symbolic number; may be null
  std::string class_name;            ///< class of a custom object
  NodeId producer;                   ///< invalid for graph inputs
  std::vector<NodeId> users;         ///< each node once, in no order
  bool erased = false;
};

/// An application of an operator.
///
/// Results: operator schemas return tensors or lists of tensors. `outputs` holds all of them in
/// order, lists flattened; `result_lengths` has one entry a schema result: `single`, or the length
/// of a list. An output that the program does not use may be invalid.
struct Node {
  static constexpr std::int32_t single = -1;

  std::string name;    ///< unique in its graph; may be empty
  std::string target;  ///< `namespace::operator.overload`, e.g. `aten::add.Tensor`, `aten::relu`
  std::vector<NamedArgument> arguments;
  SmallVector<ValueId, 2> outputs;
  SmallVector<std::int32_t, 2> result_lengths;
  std::vector<std::pair<std::string, std::string>> metadata;
  NodeId previous, next;
  std::uint32_t order = 0;  ///< grows along the graph; see `GraphBody::is_before`
  bool erased = false;

  /// The argument of this name, or null.
  [[nodiscard]] const Argument* find(std::string_view argument) const noexcept {
    for (const auto& a : arguments)
      if (a.name == argument) return &a.value;
    return nullptr;
  }
  /// The metadata entry of this key, or an empty text.
  [[nodiscard]] std::string_view meta(std::string_view key) const noexcept {
    for (const auto& [k, v] : metadata)
      if (k == key) return v;
    return {};
  }
};

}  // namespace treadle::inline v0
