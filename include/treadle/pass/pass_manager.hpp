// Named passes, and pipelines made of them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/graph/lint.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/pass/eliminate_dead.hpp>
#include <treadle/pass/inline_functionalized.hpp>
#include <treadle/pass/inline_wrappers.hpp>

namespace treadle::inline v0 {

/// What a run of passes did.
struct PassReport {
  /// Each pass that ran, in order, and whether it changed the program.
  std::vector<std::pair<std::string, bool>> passes;

  [[nodiscard]] bool changed() const noexcept {
    for (const auto& [name, changed] : passes)
      if (changed) return true;
    return false;
  }
};

/// A registry: copy it, add to it. Later definitions of a name replace earlier ones.
class PassManager {
 public:
  /// Says whether it changed the program.
  using Pass = std::function<Result<bool>(GraphModule&)>;

  void add(std::string name, Pass pass) {
    entries_.insert_or_assign(std::move(name), Entry{std::move(pass), {}});
  }
  /// A pipeline: these passes or pipelines one after the other.
  void define(std::string name, std::vector<std::string> steps) {
    entries_.insert_or_assign(std::move(name), Entry{{}, std::move(steps)});
  }
  [[nodiscard]] bool contains(std::string_view name) const { return entries_.contains(name); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, entry] : entries_) out.push_back(name);
    return out;
  }

  /// Runs a pass or pipeline. With `check` the program is verified after every pass that changed
  /// it. Errors name the pass; what earlier passes did stays done.
  [[nodiscard]] Result<PassReport> run(GraphModule& module, std::string_view name,
                                       bool check = false) const {
    PassReport report;
    TREADLE_CHECK(run_into(module, name, check, 0, report));
    return report;
  }

 private:
  struct Entry {
    Pass pass;
    std::vector<std::string> steps;
  };
  static constexpr std::size_t max_depth = 16;

  Status run_into(GraphModule& module, std::string_view name, bool check, std::size_t depth,
                  PassReport& report) const {
    const auto found = entries_.find(name);
    if (found == entries_.end())
      return Error(ErrorCode::not_found, concat("there is no pass '", name, "'"));
    if (depth > max_depth)
      return Error(ErrorCode::limit_exceeded, concat("pipeline '", name, "' contains itself"));
    const Entry& entry = found->second;
    if (!entry.pass) {
      for (const auto& step : entry.steps)
        TREADLE_CHECK(run_into(module, step, check, depth + 1, report));
      return {};
    }
    const std::string where = concat("pass '", name, "'");
    auto changed = entry.pass(module);
    if (!changed) return std::move(changed).error().with_context(where);
    report.passes.emplace_back(std::string(name), *changed);
    return check && *changed ? verify(module).with_context(where) : Status();
  }

  std::map<std::string, Entry, std::less<>> entries_;
};

/// The stock passes under their functions' names, and the pipeline `prepare`, which makes a loaded
/// program ready for execution. `has_kernel` tells what `decompose` leaves alone.
[[nodiscard]] inline PassManager standard_passes(const OpSet& ops,
                                                 std::function<bool(std::string_view)> has_kernel) {
  PassManager passes;
  passes.add("inline_wrappers", [](GraphModule& m) { return inline_wrappers(m.graph); });
  passes.add("inline_functionalized",
             [ops](GraphModule& m) { return inline_functionalized(m.graph, ops); });
  passes.add("decompose", [ops, has_kernel = std::move(has_kernel)](GraphModule& m) {
    return decompose(m.graph, ops, has_kernel);
  });
  passes.add("eliminate_dead", [ops](GraphModule& m) { return eliminate_dead(m.graph, ops); });
  passes.define("prepare",
                {"inline_wrappers", "inline_functionalized", "decompose", "eliminate_dead"});
  return passes;
}

}  // namespace treadle::inline v0
