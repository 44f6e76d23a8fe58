// Lays a plan's values and workspaces out in its arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/sort_places.hpp>
#include <treadle/exec/memory_uses.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/reuse_memory.hpp>
#include <treadle/exec/task_graph.hpp>
#include <treadle/plan/greedy_planner.hpp>
#include <treadle/plan/memory_regions.hpp>
#include <treadle/plan/search_planner.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Largest number of steps for which the partial order is kept as bit sets.
inline constexpr std::size_t partial_order_limit = 16384;
inline constexpr std::size_t arena_alignment = 64;

/// Requests with the steps that use them.
class PlannedPieces {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
  [[nodiscard]] const MemoryRequest& request(std::size_t i) const noexcept { return requests_[i]; }

  std::size_t add(std::size_t bytes, std::span<const std::uint32_t> steps);
  /// The piece is used in these steps too, none of which is before its last one so far.
  void extend(std::size_t i, std::span<const std::uint32_t> steps);

  /// `order` is null for steps that run one after the other.
  [[nodiscard]] MemoryProblem problem(const Ancestors* order);
  /// Nothing shares a byte with anything.
  [[nodiscard]] MemoryProblem problem_apart() const;
  /// Bytes that the steps read and write, by piece.
  [[nodiscard]] std::vector<double> traffic() const;

 private:
  /// Drops the uses that surely come before another one.
  static void keep_last(std::vector<std::uint32_t>& steps, const Ancestors& order);

  std::vector<MemoryRequest> requests_;
  std::vector<std::vector<std::uint32_t>> uses_;
};

template <TensorBackend Backend, MemoryPlanner Planner>
class MemoryLayout {
  using Plan = ExecutionPlan<Backend>;
  static constexpr bool planned = PlannableBackend<Backend>;
  static constexpr bool host = planned && HostBackend<Backend>;

 public:
  MemoryLayout(Plan& plan, const MemoryUses& uses, const DependencyBuilder& dependencies,
               bool partial, const Planner& planner)
      : plan_(plan), uses_(uses), planner_(planner), partial_(partial) {
    if (partial && dependencies.edges().size() <= partial_order_limit)
      order_.emplace(dependencies.edges());
  }

  Status lay_out(std::span<const MemoryRegion> regions) {
    if constexpr (planned) add_values();
    const bool together = host && regions.size() < 2;  // workspaces lie in the arena too
    PlannedPieces separate;
    PlannedPieces& workspace = together ? pieces_ : separate;
    std::vector<std::size_t> scratch;
    for (const auto& [step, bytes] : uses_.scratch())
      scratch.push_back(workspace.add(bytes, std::span(&step, 1)));
    ArenaPlan arena, beside;
    if (!together) beside = place(separate);
    if (regions.size() > 1) {
      TREADLE_CHECK(spread(regions));
    } else {
      arena = place(pieces_);
      for (auto& placed : plan_.arena) placed.offset = arena.offsets[placed.offset];
      plan_.regions = {{0, arena.peak}};
      plan_.arena_bytes = arena.peak;
      plan_.lower_bound = arena.lower_bound;
      if (!regions.empty() && arena.peak > regions[0].capacity)
        return Error(ErrorCode::out_of_memory,
                     concat("the plan needs ", arena.peak, " bytes, the memory region has ",
                            regions[0].capacity));
    }
    plan_.scratch_bytes = beside.peak;
    for (std::size_t k = 0; k < scratch.size(); ++k) {
      const auto [step, bytes] = uses_.scratch()[k];
      plan_.steps[step].scratch = (together ? arena : beside).offsets[scratch[k]];
      plan_.steps[step].scratch_bytes = bytes;
    }
    return {};
  }

 private:
  /// Too many steps for the partial order: nothing may share a byte with anything.
  [[nodiscard]] bool apart() const noexcept { return partial_ && !order_; }
  [[nodiscard]] ArenaPlan place(PlannedPieces& pieces) const {
    const MemoryProblem problem = pieces.problem(order_ ? &*order_ : nullptr);
    return apart() ? BumpPlanner{}.plan(problem) : planner_.plan(problem);
  }

  /// Values that are used much go where memory is fast.
  Status spread(std::span<const MemoryRegion> regions) {
    const auto traffic = pieces_.traffic();
    const MemoryProblem problem =
        apart() ? pieces_.problem_apart() : pieces_.problem(order_ ? &*order_ : nullptr);
    const RegionPlan made = plan_regions(problem, traffic, regions, GreedyPlanner{});
    std::size_t begin = 0;
    for (const std::size_t peak : made.peaks) {
      plan_.regions.push_back({begin, peak});
      begin += round_up(peak, arena_alignment);
    }
    plan_.arena_bytes = begin;
    plan_.lower_bound = problem.busiest_step().first;
    for (auto& placed : plan_.arena) {
      const std::size_t piece = placed.offset;
      placed.region = made.region[piece];
      if (placed.region == RegionPlan::nowhere)
        return Error(
            ErrorCode::out_of_memory,
            concat("value '", plan_.graph->graph->value(placed.value).name, "' of ", placed.bytes,
                   " bytes fits in none of the ", regions.size(), " memory regions"));
      placed.offset = plan_.regions[placed.region].begin + made.offsets[piece];
    }
    return {};
  }

  /// A piece for each planned value that takes no other's memory. Until the pieces are placed,
  /// the values' offsets are the numbers of their pieces.
  void add_values() {
    const auto hosts =
        apart() ? std::vector<ValueId>{} : reuse_memory(plan_, uses_, order_ ? &*order_ : nullptr);
    std::vector<std::size_t> piece_of(plan_.sources.size(), SIZE_MAX);
    std::vector<std::uint32_t> first(plan_.sources.size()), values;
    for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
      const ValueId v(i);
      if (plan_.sources[i] != SlotSource::arena || plan_.known.facts(v).root != v) continue;
      const auto steps = steps_of(v);
      if (steps.empty()) continue;
      first[i] = steps.front();
      values.push_back(v.index);
    }
    // Hosts come before their guests.
    sort_places(values, [&](std::uint32_t a, std::uint32_t b) {
      return first[a] != first[b] ? first[a] < first[b] : a < b;
    });
    for (const std::uint32_t i : values) {
      const ValueId v(i);
      const std::size_t bytes = storage_bytes(*plan_.known.facts(v).meta).value_or(0);
      const ValueId owner = hosts.empty() ? v : hosts[v.index];
      const auto steps = steps_of(v);
      if (owner == v)
        piece_of[v.index] = pieces_.add(bytes, steps);
      else
        pieces_.extend(piece_of[v.index] = piece_of[owner.index], steps);
      plan_.arena.push_back({v, piece_of[v.index], bytes, steps.front(), steps.back()});
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> steps_of(ValueId v) const {
    return uses_.steps(plan_.known.alias_class(v).index);
  }

  Plan& plan_;
  const MemoryUses& uses_;
  const Planner& planner_;
  bool partial_;
  std::optional<Ancestors> order_;
  PlannedPieces pieces_;
};

/// Values made during the run are dropped after the last step that may see them.
template <TensorBackend Backend>
void list_releases(ExecutionPlan<Backend>& plan, const MemoryUses& uses) {
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

}  // namespace detail

/// Decides the offsets of everything that lives in the arena, and when dynamic values die. With
/// `partial` the offsets hold in any order that respects the dependencies. An error if the values
/// do not fit in the `regions`; without any the arena is as large as it has to be.
template <TensorBackend Backend, MemoryPlanner Planner>
Status lay_out_memory(ExecutionPlan<Backend>& plan, const MemoryUses& uses,
                      const DependencyBuilder& dependencies, bool partial, const Planner& planner,
                      std::span<const MemoryRegion> regions = {}) {
  detail::MemoryLayout<Backend, Planner> layout(plan, uses, dependencies, partial, planner);
  TREADLE_CHECK(layout.lay_out(regions));
  if (!partial) detail::list_releases(plan, uses);
  return {};
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/memory_layout-inl.hpp>
#endif
