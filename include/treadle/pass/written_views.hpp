// Copies of tensors that an operator writes, and views of the copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/sort_places.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/pass/rewrite.hpp>

namespace treadle::inline v0::detail {

/// Adds nodes with one tensor result before a given node.
class NodeWriter {
 public:
  NodeWriter(GraphBody& graph, NodeId before) : graph_(graph), before_(before) {}

  /// `type` is what the program may state of the result; none if it is not known.
  ValueId add(std::string target, std::vector<NamedArgument> arguments, std::string_view wish,
              std::optional<TensorType> type) {
    GraphValue made;
    made.name = wish;
    made.tensor = std::move(type);
    const ValueId out = graph_.add_value(std::move(made));
    Node node;
    node.name = graph_.value(out).name;
    node.target = std::move(target);
    node.arguments = std::move(arguments);
    node.metadata = graph_.node(before_).metadata;
    node.outputs.push_back(out);
    node.result_lengths.push_back(Node::single);
    graph_.add_node(std::move(node), before_);
    return out;
  }
  [[nodiscard]] GraphBody& graph() noexcept { return graph_; }

 private:
  GraphBody& graph_;
  NodeId before_;
};

/// True if a plain copy lies in memory as the tensor does, counted from the storage's start. A
/// tensor of which nothing is known is taken for row-major.
[[nodiscard]] inline bool copies_as_it_lies(const std::optional<TensorType>& type) {
  if (!type) return true;
  if (!type->storage_offset.is(0)) return false;
  if (type->strides == contiguous_strides(type->sizes)) return true;
  const auto meta = to_meta(*type);
  if (!meta) return false;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < meta->rank(); ++i)
    if (meta->sizes[i] != 1) order.push_back(i);
  sort_places(order,
              [&](std::size_t a, std::size_t b) { return meta->strides[a] < meta->strides[b]; });
  std::int64_t step = 1;
  for (const std::size_t i : order) {
    if (meta->strides[i] != step) return false;
    step *= meta->sizes[i];
  }
  return true;
}

/// A copy of `base`. Where views address the base's storage the copy keeps strides and offset.
[[nodiscard]] inline Result<ValueId> copy_base(NodeWriter& writer, const Node& node, ValueId base,
                                               bool keep_storage) {
  const std::string wish = concat(writer.graph().value(base).name, "_copy");
  auto type = writer.graph().value(base).tensor;
  if (!keep_storage || copies_as_it_lies(type)) {
    if (type && !copies_as_it_lies(type)) {
      type->storage_offset = 0;
      type->strides = contiguous_strides(type->sizes);
    }
    return writer.add("aten::clone", {{"self", base}}, wish, std::move(type));
  }
  const auto meta = to_meta(*type);
  const auto extent = meta ? storage_extent(*meta) : std::nullopt;
  if (!extent)
    return node_error(node, "can't copy '", writer.graph().value(base).name,
                      "', whose layout is not known before a run");
  using Integers = std::vector<std::int64_t>;
  TensorType flat = make_type(type->dtype, {SymInt(*extent)}, type->device);
  const ValueId storage = writer.add("aten::as_strided",
                                     {{"self", base},
                                      {"size", Constant(Integers{*extent})},
                                      {"stride", Constant(Integers{1})},
                                      {"storage_offset", Constant(std::int64_t{0})}},
                                     concat(wish, "_storage"), flat);
  const ValueId copy =
      writer.add("aten::clone", {{"self", storage}}, concat(wish, "_bytes"), std::move(flat));
  return writer.add("aten::as_strided",
                    {{"self", copy},
                     {"size", Constant(Integers(meta->sizes.begin(), meta->sizes.end()))},
                     {"stride", Constant(Integers(meta->strides.begin(), meta->strides.end()))},
                     {"storage_offset", Constant(meta->storage_offset)}},
                    wish, std::move(type));
}

}  // namespace treadle::inline v0::detail
