// Definitions of pickle.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/pickle.hpp>
#include <treadle/archive/pickle_machine-inl.hpp>

namespace treadle::inline v0 {
namespace detail::pickle {

/// What is known of a value once all below it has been walked.
struct Measure {
  std::uint64_t values = 0;  ///< values below and with it, shared ones counted once a use
  std::uint32_t depth = 0;
  enum : std::uint8_t { fresh, open, done } state = fresh;
};

/// Walks everything below `root`, without recursion, and refuses cycles, depth, values that only
/// the reader knows, and sharing that would explode when the tree is walked as a tree.
class Checker {
 public:
  Checker(const PickleTree& tree, const LoadLimits& limits)
      : tree_(tree), limits_(limits), measures_(tree.nodes.size()) {}

  [[nodiscard]] Status check(std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    TREADLE_CHECK(enter(root, path));
    while (!path.empty()) {
      auto& [position, next] = path.back();
      const auto& items = tree_.nodes[position].items;
      if (next == items.size()) {
        TREADLE_CHECK(leave(position));
        path.pop_back();
        continue;
      }
      const auto child = items[next++];
      if (measures_[child].state == Measure::open)
        return corrupt_file("the pickle has a ", name(tree_.nodes[child].kind),
                            " that contains itself");
      if (measures_[child].state == Measure::fresh) TREADLE_CHECK(enter(child, path));
    }
    return {};
  }

 private:
  [[nodiscard]] Status enter(std::uint32_t position,
                             std::vector<std::pair<std::uint32_t, std::size_t>>& path) {
    const auto kind = tree_.nodes[position].kind;
    if (kind == PickleKind::storage || kind == PickleKind::constructor)
      return unsupported_file("the pickle has a bare ", name(kind), ", which is no value");
    measures_[position].state = Measure::open;
    path.emplace_back(position, 0);
    return {};
  }

  [[nodiscard]] Status leave(std::uint32_t position) {
    Measure& measure = measures_[position];
    measure.values = 1;
    for (const auto child : tree_.nodes[position].items) {
      measure.values += measures_[child].values;
      measure.depth = std::max(measure.depth, measures_[child].depth);
      if (measure.values > limits_.max_pickle_values)
        return limit_exceeded("the pickle has more values than max_pickle_values, ",
                              limits_.max_pickle_values);
    }
    if (!tree_.nodes[position].items.empty()) ++measure.depth;
    if (measure.depth > limits_.max_depth)
      return limit_exceeded("the pickle's containers nest deeper than max_depth, ",
                            limits_.max_depth);
    measure.state = Measure::done;
    return {};
  }

  const PickleTree& tree_;
  const LoadLimits& limits_;
  std::vector<Measure> measures_;
};

}  // namespace detail::pickle

TREADLE_INLINE std::string_view name(PickleKind kind) noexcept {
  constexpr std::string_view names[] = {
      "None",  "bool",   "int",           "float",  "string",  "bytes",
      "tuple", "list",   "dict",          "size",   "tensor",  "device",
      "dtype", "layout", "memory format", "object", "storage", "constructor"};
  return names[static_cast<std::size_t>(kind)];
}

TREADLE_INLINE PickleValue::PickleValue() {
  auto tree = std::make_shared<detail::PickleTree>();
  tree->nodes.emplace_back();
  tree_ = std::move(tree);
}

TREADLE_INLINE std::optional<bool> PickleValue::as_bool() const noexcept {
  if (kind() != PickleKind::boolean) return std::nullopt;
  return node().integer != 0;
}
TREADLE_INLINE std::optional<std::int64_t> PickleValue::as_int() const noexcept {
  if (kind() != PickleKind::integer) return std::nullopt;
  return node().integer;
}
TREADLE_INLINE std::optional<double> PickleValue::as_double() const noexcept {
  if (kind() != PickleKind::floating) return std::nullopt;
  return node().real;
}
TREADLE_INLINE std::optional<std::string_view> PickleValue::as_string() const noexcept {
  if (kind() != PickleKind::string) return std::nullopt;
  return node().text;
}
TREADLE_INLINE std::optional<std::string_view> PickleValue::as_bytes() const noexcept {
  if (kind() != PickleKind::bytes) return std::nullopt;
  return node().text;
}
TREADLE_INLINE std::optional<Device> PickleValue::as_device() const noexcept {
  if (kind() != PickleKind::device) return std::nullopt;
  return Device{static_cast<DeviceType>(node().code), static_cast<std::int16_t>(node().integer)};
}
TREADLE_INLINE std::optional<DType> PickleValue::as_dtype() const noexcept {
  if (kind() != PickleKind::dtype) return std::nullopt;
  return static_cast<DType>(node().code);
}
TREADLE_INLINE std::optional<Layout> PickleValue::as_layout() const noexcept {
  if (kind() != PickleKind::layout) return std::nullopt;
  return static_cast<Layout>(node().code);
}
TREADLE_INLINE std::optional<MemoryFormat> PickleValue::as_memory_format() const noexcept {
  if (kind() != PickleKind::memory_format) return std::nullopt;
  return static_cast<MemoryFormat>(node().code);
}
TREADLE_INLINE const PickledTensor* PickleValue::as_tensor() const noexcept {
  if (kind() != PickleKind::tensor) return nullptr;
  return &tree_->tensors[static_cast<std::size_t>(node().integer)];
}

TREADLE_INLINE std::size_t PickleValue::size() const noexcept {
  return kind() == PickleKind::dict ? node().items.size() / 2 : node().items.size();
}

TREADLE_INLINE PickleValue PickleValue::item(std::size_t i) const noexcept {
  TREADLE_ASSERT(i < size(), "item in range");
  return {tree_, kind() == PickleKind::dict ? node().items[2 * i + 1] : node().items[i]};
}

TREADLE_INLINE PickleValue PickleValue::key(std::size_t i) const noexcept {
  TREADLE_ASSERT(kind() == PickleKind::dict && i < size(), "key of a dict, in range");
  return {tree_, node().items[2 * i]};
}

TREADLE_INLINE std::optional<PickleValue> PickleValue::find(std::string_view key) const noexcept {
  if (kind() != PickleKind::dict) return std::nullopt;
  const auto& items = node().items;
  for (std::size_t i = items.size() / 2; i-- > 0;) {
    const auto& candidate = tree_->nodes[items[2 * i]];
    if (candidate.kind == PickleKind::string && candidate.text == key) return item(i);
  }
  return std::nullopt;
}

namespace detail {

TREADLE_INLINE Result<std::pair<std::shared_ptr<PickleTree>, std::uint32_t>> read_pickle_tree(
    Bytes file, const LoadLimits& limits, PickleObjects objects) {
  auto tree = std::make_shared<PickleTree>();
  tree->source = std::move(file);
  tree->nodes.emplace_back();  // the machine's stand-in for missing values
  TREADLE_TRY(const std::uint32_t root, pickle::Machine(*tree, limits, objects).run());
  TREADLE_CHECK(pickle::Checker(*tree, limits).check(root));
  return std::pair(std::move(tree), root);
}

}  // namespace detail

TREADLE_INLINE Result<PickleValue> read_pickle(Bytes file, const LoadLimits& limits,
                                               PickleObjects objects) {
  TREADLE_TRY(auto read, detail::read_pickle_tree(std::move(file), limits, objects));
  return PickleValue(std::move(read.first), read.second);
}

}  // namespace treadle::inline v0
