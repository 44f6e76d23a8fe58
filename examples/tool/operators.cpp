// Counts operators and looks for their kernels.
#include "operators.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/resolve.hpp>
#include <treadle/model/dissolve_wrappers.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/pass/settle_mutations.hpp>

#include "common.hpp"

namespace tool {
namespace {

using treadle::BoundGraph;
using treadle::GraphBody;
using treadle::GraphModule;

GraphModule copy_of(const GraphModule& module) {
  GraphModule copy;
  copy.name = module.name;
  copy.graph = module.graph.clone();
  copy.signature = module.signature;
  copy.ranges = module.ranges;
  copy.guards = module.guards;
  copy.opset_version = module.opset_version;
  copy.torch_version = module.torch_version;
  copy.metadata = module.metadata;
  return copy;
}

void count(const GraphBody& graph, std::map<std::string, std::size_t>& counts) {
  for (const auto id : graph.nodes()) {
    ++counts[graph.node(id).target];
    for (const auto& argument : graph.node(id).arguments)
      if (const auto* inner = argument.value.subgraph()) count(*inner->body, counts);
  }
}

std::map<std::string, std::size_t> counts_of(const GraphBody& graph) {
  std::map<std::string, std::size_t> counts;
  count(graph, counts);
  return counts;
}

/// Looks at what is left to run once wrappers are dissolved and composites are taken apart.
class KernelSearch {
 public:
  KernelSearch() {
    for (const auto& [name, entry] : kernels_) ops_.add_schema(entry.schema);
  }

  void run(const GraphModule& module) {
    GraphModule prepared = unwrapped(module);
    const auto counts = counts_of(module.graph);
    wrapped_ = counts_of(prepared.graph) != counts;
    static_cast<void>(treadle::settle_mutations(prepared, ops_));
    const auto changed = treadle::decompose(
        prepared.graph, ops_, [&](std::string_view target) { return kernels_.contains(target); });
    if (!changed) prepared = unwrapped(module);
    decomposed_ = changed && *changed;
    add_operators(counts);
    add_operators(counts_of(prepared.graph));
    std::vector<treadle::Error> problems;
    const auto program = treadle::bind_calls(prepared.graph, ops_, problems);
    visit(program.root);
  }

  [[nodiscard]] const std::set<std::string>& missing() const noexcept { return missing_; }
  [[nodiscard]] const std::set<std::string>& needed() const noexcept { return needed_; }
  [[nodiscard]] const std::set<std::string>& operators() const noexcept { return operators_; }
  [[nodiscard]] bool wrapped() const noexcept { return wrapped_; }
  [[nodiscard]] bool decomposed() const noexcept { return decomposed_; }
  [[nodiscard]] bool knows(std::string_view target) const {
    return target == "higher_order::call_torchbind" || ops_.find(target) != nullptr;
  }

 private:
  GraphModule unwrapped(const GraphModule& module) const {
    GraphModule copy = copy_of(module);
    return treadle::dissolve_wrappers(copy, ops_) ? std::move(copy) : copy_of(module);
  }

  void add_operators(const std::map<std::string, std::size_t>& counts) {
    for (const auto& [target, number] : counts) {
      operators_.insert(target);
      const auto* known = ops_.find(target);
      if (known && !known->functional.empty()) operators_.emplace(known->functional);
    }
  }

  void visit(const BoundGraph& bound) {
    for (const auto id : bound.graph->nodes()) {
      if (id.index < bound.sites.size() && bound.site(id).kind == treadle::SiteKind::op)
        look_up(bound.graph->node(id).target);
      // A host has the class; this tool has not.
      if (id.index < bound.sites.size() && bound.site(id).kind == treadle::SiteKind::method)
        missing_.insert(bound.graph->node(id).target);
      const auto inner = bound.subgraphs.find(id.index);
      if (inner == bound.subgraphs.end()) continue;
      for (const auto& body : inner->second) visit(body);
    }
  }

  void look_up(const std::string& target) {
    const auto op = treadle::resolve<Backend>(ops_, kernels_, target);
    if (!op) {
      missing_.insert(target);
    } else if (op->kernel) {
      needed_.insert(op->functional_kernel ? std::string(op->definition->functional) : target);
    } else if (!is_view(*op)) {
      missing_.insert(target);
    }
  }

  /// Views only make new metadata.
  static bool is_view(const treadle::ResolvedOp<Backend>& op) {
    bool marked = op.definition->traits.may_alias;
    for (std::size_t i = 0; i < op.schema.result_count; ++i)
      marked |= op.schema.results[i].alias_set != 0 && !op.schema.results[i].writes;
    return marked && op.definition->infer != nullptr;
  }

  treadle::OpSet ops_ = treadle::standard_ops();
  treadle::KernelRegistry<Backend> kernels_ = treadle::cpu::kernels();
  std::set<std::string> missing_;
  std::set<std::string> needed_;
  std::set<std::string> operators_;
  bool wrapped_ = false;
  bool decomposed_ = false;
};

}  // namespace

OperatorReport operators_of(const GraphModule& module) {
  KernelSearch search;
  search.run(module);
  auto counts = counts_of(module.graph);
  for (const auto& target : search.missing()) counts.try_emplace(target, 0);
  OperatorReport report;
  for (const auto& [target, number] : counts) {
    const bool missing = search.missing().contains(target);
    report.uses.push_back({target, number, !missing, !missing || search.knows(target)});
  }
  std::ranges::sort(report.uses, [](const OperatorUse& a, const OperatorUse& b) {
    return a.count != b.count ? a.count > b.count : a.target < b.target;
  });
  report.needed_kernels.assign(search.needed().begin(), search.needed().end());
  report.operators.assign(search.operators().begin(), search.operators().end());
  report.wrapped = search.wrapped();
  report.decomposed = search.decomposed();
  return report;
}

}  // namespace tool
