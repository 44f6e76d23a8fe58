// Lays a plan's values and workspaces out in its arena.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/exec/plan.hpp>
#include <treadle/exec/task_graph.hpp>
#include <treadle/plan/arena.hpp>

namespace treadle::inline v0 {

/// Which steps use which alias classes, and what workspace they want.
class MemoryUses {
 public:
  void touch(std::uint32_t alias, std::uint32_t step) {
    auto& steps = uses_[alias];
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  }
  void scratch(std::uint32_t step, std::size_t bytes) {
    if (bytes > 0) scratch_.emplace_back(step, bytes);
  }
  /// The steps that use the class, in order.
  [[nodiscard]] std::vector<std::uint32_t> steps(std::uint32_t alias) const {
    const auto found = uses_.find(alias);
    return found == uses_.end() ? std::vector<std::uint32_t>{} : found->second;
  }
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::size_t>>& scratch() const noexcept {
    return scratch_;
  }

 private:
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> uses_;
  std::vector<std::pair<std::uint32_t, std::size_t>> scratch_;
};

namespace detail {

/// Largest number of steps for which the partial order is kept as bit sets.
inline constexpr std::size_t partial_order_limit = 16384;

/// A request with the steps that use it.
struct PlannedPiece {
  MemoryRequest request;
  std::vector<std::uint32_t> steps;
};

inline ArenaPlan plan_pieces(const std::vector<PlannedPiece>& pieces, std::size_t alignment,
                             const DependencyBuilder& dependencies, bool partial) {
  std::vector<MemoryRequest> requests;
  for (const auto& piece : pieces) requests.push_back(piece.request);
  if (!partial) return plan_arena(requests, alignment);
  if (dependencies.edges().size() > partial_order_limit)
    return plan_arena(requests, alignment, [](std::size_t, std::size_t) { return true; });
  const Ancestors order(dependencies.edges());
  const auto dies_before = [&](const PlannedPiece& a, const PlannedPiece& b) {
    return std::ranges::all_of(a.steps,
                               [&](std::uint32_t s) { return order.before(s, b.steps.front()); });
  };
  return plan_arena(requests, alignment, [&](std::size_t i, std::size_t j) {
    return !dies_before(pieces[i], pieces[j]) && !dies_before(pieces[j], pieces[i]);
  });
}

}  // namespace detail

/// Decides the offsets of everything that lives in the arena, and when dynamic values die.
template <TensorBackend Backend>
void lay_out_memory(const Backend&, ExecutionPlan<Backend>& plan, const MemoryUses& uses,
                    const DependencyBuilder& dependencies, bool partial) {
  std::vector<detail::PlannedPiece> pieces;
  std::vector<ValueId> owners;
  if constexpr (PlannableBackend<Backend>) {
    for (std::size_t i = 0; i < plan.sources.size(); ++i) {
      const ValueId v(i);
      const auto& facts = plan.known.values[i];
      if (plan.sources[i] != SlotSource::arena || facts.root != v) continue;
      const auto steps = uses.steps(plan.known.alias_class(v).index);
      if (steps.empty()) continue;
      pieces.push_back(
          {{storage_bytes(*facts.meta).value_or(0), steps.front(), steps.back()}, steps});
      owners.push_back(v);
    }
  }
  constexpr bool host = PlannableBackend<Backend> && HostBackend<Backend>;
  std::vector<detail::PlannedPiece> scratch;
  for (const auto& [step, bytes] : uses.scratch())
    (host ? pieces : scratch).push_back({{bytes, step, step}, {step}});
  constexpr std::size_t alignment = 64;
  const ArenaPlan arena = detail::plan_pieces(pieces, alignment, dependencies, partial);
  for (std::size_t i = 0; i < owners.size(); ++i)
    plan.arena.push_back({owners[i], arena.offsets[i]});
  plan.arena_bytes = arena.peak;
  plan.lower_bound = arena.lower_bound;
  if (host) {
    for (std::size_t i = 0; i < uses.scratch().size(); ++i)
      plan.steps[uses.scratch()[i].first].scratch = arena.offsets[owners.size() + i];
  } else {
    const ArenaPlan workspace = detail::plan_pieces(scratch, alignment, dependencies, partial);
    for (std::size_t i = 0; i < scratch.size(); ++i)
      plan.steps[uses.scratch()[i].first].scratch = workspace.offsets[i];
    plan.scratch_bytes = workspace.peak;
  }
  if (partial) return;
  // Values made during the run are dropped after the last step that may see them.
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    const ValueId v(i);
    if (plan.sources[i] != SlotSource::none || plan.known.values[i].meta) continue;
    const auto steps = uses.steps(plan.known.alias_class(v).index);
    if (steps.empty()) continue;
    plan.releases.resize(plan.steps.size());
    plan.releases[steps.back()].push_back(v);
  }
  for (const auto& output : plan.graph->graph->outputs())
    output.for_each_value([&](ValueId v) {
      for (auto& step : plan.releases) std::erase(step, v);
    });
}

}  // namespace treadle::inline v0
