// Nodes lined up with what they call: schema, arguments, subgraphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/graph_id.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/schema.hpp>
#include <treadle/symbolic/number.hpp>

namespace treadle::inline v0 {

/// What kind of thing a node does.
enum class SiteKind : std::uint8_t {
  op,           ///< an operator with a schema
  symbolic,     ///< arithmetic on numbers
  size_query,   ///< a size, stride, offset or element count of a tensor
  read_number,  ///< the only element of a tensor, as a number
  control,      ///< a higher-order operator that runs subgraphs
  method,       ///< a method of a custom object, or an operator that takes one
};

enum class SizeQuery : std::uint8_t { size, stride, storage_offset, count };

enum class ControlKind : std::uint8_t { cond, while_loop, scan, map, associative_scan };

/// An operator that a program uses, once however often it is called.
struct OperatorInfo {
  std::string target;
  const OpDef* definition = nullptr;
  Schema schema;
  const OpDef* functional = nullptr;  ///< of an in-place operator
};

/// A method that a program calls on custom objects; an operator that takes one has no class.
struct MethodInfo {
  std::string class_name;  ///< `studio::Queue`
  std::string method;

  friend bool operator==(const MethodInfo&, const MethodInfo&) = default;
};

/// A node, ready to be interpreted.
struct CallSite {
  SiteKind kind = SiteKind::op;
  SizeQuery query = SizeQuery::size;
  ControlKind control = ControlKind::cond;
  Result<Number> (*symbolic)(std::span<const Number>) = nullptr;  ///< what `symbolic` computes
  std::uint32_t op = 0;  ///< index into `BoundProgram::operators`, of methods into `methods`
  /// Of operators: aligned with the schema. Of methods: the object, then the method's own.
  std::vector<Argument> arguments;
};

/// A graph with the call sites of its nodes. Refers to the graph, which must outlive it.
struct BoundGraph {
  const GraphBody* graph = nullptr;
  GraphId id;                   ///< its place in `graphs_of`
  std::vector<CallSite> sites;  ///< by node id
  /// Subgraphs of control nodes, in argument order, by node id.
  std::map<std::uint32_t, std::vector<BoundGraph>> subgraphs;

  [[nodiscard]] const CallSite& site(NodeId node) const noexcept { return sites[node.index]; }
};

/// A program whose operators are all known.
struct BoundProgram {
  std::vector<OperatorInfo> operators;
  std::vector<MethodInfo> methods;
  BoundGraph root;
};

/// All graphs of a program by id: a graph before its subgraphs, these in node and argument order.
[[nodiscard]] std::vector<const BoundGraph*> graphs_of(const BoundProgram& program);

/// Finds every node's definition and lines its arguments up. All problems are collected in
/// `problems`, each naming its node. Both `graph` and `ops` must outlive the result.
[[nodiscard]] BoundProgram bind_calls(const GraphBody& graph, const OpSet& ops,
                                      std::vector<Error>& problems);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/call_site-inl.hpp>
#endif
