// Finds results that can take the memory of an argument that dies where they are made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/exec/memory_uses.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/task_graph.hpp>

namespace treadle::inline v0 {
namespace detail {

template <TensorBackend Backend>
class MemoryReuse {
 public:
  /// `order` is null for plans whose steps run one after the other.
  MemoryReuse(const ExecutionPlan<Backend>& plan, const MemoryUses& uses, const Ancestors* order)
      : plan_(plan),
        uses_(uses),
        order_(order),
        hosts_(plan.sources.size()),
        roots_(plan.sources.size(), 0) {
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      hosts_[i] = ValueId(i);
      if (is_root(ValueId(i))) ++roots_[alias_class(ValueId(i))];
    }
  }

  std::vector<ValueId> find() && {
    for (std::uint32_t step = 0; step < plan_.steps.size(); ++step)
      if (plan_.steps[step].kind == Step<Backend>::Kind::kernel) consider(step);
    return std::move(hosts_);
  }

 private:
  [[nodiscard]] const ValueFacts& facts(ValueId v) const { return plan_.known.facts(v); }
  [[nodiscard]] std::uint32_t alias_class(ValueId v) const {
    return plan_.known.alias_class(v).index;
  }
  [[nodiscard]] bool is_root(ValueId v) const {
    return plan_.sources[v.index] == SlotSource::arena && facts(v).root == v;
  }

  /// The step's operator computes each element from those of its place, and its kernel accepts it.
  [[nodiscard]] bool may_overwrite(NodeId node) const {
    const auto& site = plan_.graph->site(node);
    if (site.kind != SiteKind::op) return false;
    const auto& op = plan_.executable->op(site.op);
    return op.definition->traits.elementwise && !op.definition->traits.may_alias && op.kernel &&
           op.kernel->in_place;
  }

  void consider(std::uint32_t step) {
    const Node& node = plan_.graph->graph->node(plan_.steps[step].node);
    if (node.outputs.size() != 1 || !may_overwrite(plan_.steps[step].node)) return;
    const ValueId out = node.outputs[0];
    if (!out.valid() || !is_root(out) || roots_[alias_class(out)] != 1) return;
    if (uses_.steps(alias_class(out)).empty() || uses_.steps(alias_class(out)).front() != step)
      return;
    std::vector<ValueId> arguments;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) {
        if (v.valid() && facts(v).meta) arguments.push_back(v);
      });
    for (const ValueId v : arguments) {
      if (!can_take(v, out, step, arguments)) continue;
      hosts_[out.index] = hosts_[facts(v).root.index];
      return;
    }
  }

  /// Nothing may see `v`'s memory after the step, nor, in it, otherwise than `out` lies in it.
  [[nodiscard]] bool can_take(ValueId v, ValueId out, std::uint32_t step,
                              const std::vector<ValueId>& arguments) const {
    const ValueId root = facts(v).root;
    if (root == out || !is_root(root) || roots_[alias_class(v)] != 1) return false;
    if (alias_class(v) == alias_class(out)) return false;
    if (storage_bytes(*facts(root).meta) != storage_bytes(*facts(out).meta)) return false;
    for (const ValueId other : arguments)
      if (alias_class(other) == alias_class(v) && !(*facts(other).meta == *facts(out).meta))
        return false;
    const auto steps = uses_.steps(alias_class(v));
    if (steps.empty() || steps.back() != step) return false;
    return !order_ || std::ranges::all_of(steps, [&](std::uint32_t s) {
      return s == step || order_->before(s, step);
    });
  }

  const ExecutionPlan<Backend>& plan_;
  const MemoryUses& uses_;
  const Ancestors* order_;
  std::vector<ValueId> hosts_;
  std::vector<std::uint32_t> roots_;  ///< planned values that an alias class has memory of
};

}  // namespace detail

/// For each value, the planned value whose memory it takes: itself, or an argument of its
/// elementwise kernel that has the same metadata and is used for the last time there, under every
/// name that it has. Chains end in their first value.
template <TensorBackend Backend>
[[nodiscard]] std::vector<ValueId> reuse_memory(const ExecutionPlan<Backend>& plan,
                                                const MemoryUses& uses, const Ancestors* order) {
  return detail::MemoryReuse<Backend>(plan, uses, order).find();
}

}  // namespace treadle::inline v0
