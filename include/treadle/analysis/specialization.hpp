// What is known of a graph once the metadata of its inputs is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/config.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/symbolic/number.hpp>

namespace treadle::inline v0 {

/// What is known of a value before a run.
struct ValueFacts {
  std::optional<TensorMeta> meta;  ///< of a tensor
  std::optional<Number> number;    ///< of a symbolic number
  /// The value whose storage this one shows: itself, unless it is a view known before the run.
  ValueId root;
  bool is_weight = false;         ///< a graph input that never changes from run to run
  std::size_t storage_bytes = 0;  ///< of roots: what views may reach
};

/// What is known of a graph input: metadata of a tensor, the value of a number, or neither.
struct InputFacts {
  std::optional<TensorMeta> meta;
  std::optional<Number> number;
  bool is_weight = false;
  std::size_t storage_bytes = 0;  ///< of the whole storage; 0 if only the tensor's extent is known
  /// Inputs with equal numbers share a storage and see each other's writes.
  std::optional<std::size_t> storage;
};

/// How a node is executed.
enum class Action : std::uint8_t {
  skip,     ///< its results are numbers known beforehand, or nobody needs them
  view,     ///< its results are views known beforehand: nothing runs
  kernel,   ///< all metadata is known: a prepared kernel
  dynamic,  ///< metadata depends on a run: inferred, allocated and prepared in it
  control,  ///< runs subgraphs
  method,   ///< calls a custom object; tensors whose metadata is known are copied into memory
};

/// The outcome for one graph. Tables are indexed by ids.
struct Specialization {
  const BoundGraph* graph = nullptr;
  std::vector<ValueFacts> values;
  std::vector<Action> actions;
  /// Parent links of the alias classes: values that may share storage in a run.
  std::vector<std::uint32_t> alias;
  /// For each node, the values among its arguments that it writes.
  std::map<std::uint32_t, std::vector<ValueId>> writes;
  /// For control nodes, one specialization a subgraph.
  std::map<std::uint32_t, std::vector<Specialization>> subgraphs;
  bool random = false;  ///< a node draws random numbers

  /// Representative of the value's alias class.
  [[nodiscard]] ValueId alias_class(ValueId value) const noexcept {
    std::uint32_t at = value.index;
    while (alias[at] != at) at = alias[at];
    return ValueId(at);
  }
  /// From now on the two may share storage.
  void unite(ValueId a, ValueId b) noexcept {
    const auto ra = alias_class(a), rb = alias_class(b);
    alias[std::max(ra.index, rb.index)] = std::min(ra.index, rb.index);
  }
  /// Starts with what is known of the graph's inputs.
  void place_inputs(const std::vector<ValueId>& inputs, const std::vector<InputFacts>& known);
  [[nodiscard]] const ValueFacts& facts(ValueId value) const noexcept {
    return values[value.index];
  }
};

/// Does a plan made for inputs of which the one is known suit those of which the other is?
[[nodiscard]] bool suit_one_plan(const std::vector<InputFacts>& a,
                                 const std::vector<InputFacts>& b) noexcept;

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/specialization-inl.hpp>
#endif
