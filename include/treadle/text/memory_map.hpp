// A plan's arena as text and as a drawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/exec/plan.hpp>

namespace treadle::inline v0 {

/// A stretch of the arena over a stretch of time.
struct MemoryBlock {
  enum class Kind : std::uint8_t {
    value,
    in_place,   ///< a value that takes the memory of an argument of the step that makes it
    workspace,  ///< of one step's kernel
  };
  std::string name;
  std::size_t bytes = 0;
  std::size_t offset = 0;
  std::uint32_t first_step = 0;
  std::uint32_t last_step = 0;
  Kind kind = Kind::value;
};

/// What is where in an arena, and when. Steps are in program order.
struct MemoryMap {
  std::vector<MemoryBlock> blocks;  ///< by first step
  std::vector<std::string> steps;   ///< what each step runs: node and operator
  std::size_t peak = 0;
  std::size_t lower_bound = 0;

  /// Bytes that are in use in a step.
  [[nodiscard]] std::size_t in_use(std::uint32_t step) const;
  /// The step in which most bytes are in use, the first of equal ones.
  [[nodiscard]] std::uint32_t busiest_step() const;
};

namespace detail {

/// Sorts the blocks and tells those that share memory with one that they meet.
void finish_memory_map(MemoryMap& map);

}  // namespace detail

/// The map of a plan's arena.
template <TensorBackend Backend>
[[nodiscard]] MemoryMap memory_map(const ExecutionPlan<Backend>& plan) {
  MemoryMap map;
  map.peak = plan.arena_bytes;
  map.lower_bound = plan.lower_bound;
  const GraphBody& graph = *plan.graph->graph;
  for (const auto& placed : plan.arena)
    map.blocks.push_back({graph.value(placed.value).name, placed.bytes, placed.offset,
                          placed.first_step, placed.last_step, MemoryBlock::Kind::value});
  for (std::uint32_t s = 0; s < plan.steps.size(); ++s) {
    const auto& step = plan.steps[s];
    const Node& node = graph.node(step.node);
    map.steps.push_back(concat(node.name, " = ", node.target));
    if (step.scratch_bytes > 0 && plan.scratch_bytes == 0)
      map.blocks.push_back({concat("workspace of ", node.name), step.scratch_bytes, step.scratch, s,
                            s, MemoryBlock::Kind::workspace});
  }
  detail::finish_memory_map(map);
  return map;
}

/// A table of the blocks (name, bytes, offset, first and last step), then the peak, the lower
/// bound, the gap between them, and which values fill the busiest step.
[[nodiscard]] std::string memory_text(const MemoryMap& map);

/// An SVG drawing: steps go right, offsets go up, each block is a rectangle that tells its name,
/// bytes and steps when pointed at.
[[nodiscard]] std::string memory_svg(const MemoryMap& map, std::string_view title);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/text/memory_map-inl.hpp>
#endif
