// `treadle diff`: finds the first node whose outputs differ from a record.
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/analysis/source.hpp>
#include <treadle/archive/npz.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "compare.hpp"
#include "engine.hpp"
#include "inputs.hpp"
#include "node_record.hpp"
#include "values.hpp"

namespace tool {
namespace {

using treadle::NpyArray;
using treadle::Status;
using treadle::ValueId;

constexpr std::string_view operands[] = {"MODEL", "A.npz"};
constexpr Option options[] = {
    {"--inputs", OptionKind::text, "IN.npz", "arrays in0, in1, … instead of those of A.npz"},
    rtol_option,
    atol_option,
    {"--scheduler", OptionKind::choice, "serial|inline|pool",
     "what runs the nodes (serial); others leave nodes without a step out"},
    threads_option,
    {"--all", OptionKind::flag, "", "list every value that differs"},
    device_map_option,
    model_option,
};
constexpr std::string_view examples =
    "  treadle diff model.pt2 pytorch.npz\n"
    "    (python examples/models/record_nodes.py model.pt2 in.npz pytorch.npz makes the record)\n"
    "  treadle run old.pt2 --record-nodes old.npz && treadle diff new.pt2 old.npz --rtol 1e-3\n";

/// One value, here and there.
struct Judgement {
  std::string text;  ///< type, errors, verdict
  bool ok = true;
};

/// Runs the program and compares it with the record, value by value.
class Differ {
 public:
  explicit Differ(const Arguments& arguments) : arguments_(arguments) {}

  Status run() {
    TREADLE_TRY(const auto expected, treadle::read_npz(arguments_.operand(1)));
    for (const auto& [name, array] : expected) expected_.emplace(name, &array);
    TREADLE_CHECK(record(expected));
    judge_all();
    if (judged_.empty() && makes_values_)
      return treadle::Error(
          treadle::ErrorCode::not_found,
          fmt::format("'{}' has no array with the name of a node's output", arguments_.operand(1)));
    tell();
    return {};
  }

  [[nodiscard]] bool same() const noexcept { return different_.empty(); }

 private:
  Status record(const std::vector<treadle::NamedArray>& expected) {
    const std::string& path = arguments_.operand(0);
    TREADLE_TRY(auto archive, read_model(path, arguments_.text("--model").value_or(""),
                                         arguments_.text("--device-map")));
    std::optional<Inputs> inputs;
    if (!arguments_.has("--inputs")) {
      TREADLE_TRY(inputs, Inputs::among(archive, expected, arguments_.operand(1)));
    }
    if (!inputs) {
      TREADLE_TRY(inputs, Inputs::make(archive, arguments_.text("--inputs")));
    }
    EngineOptions how;
    how.scheduler = arguments_.text("--scheduler").value_or("serial");
    how.threads = arguments_.count("--threads", 0);
    how.probe = &record_;
    TREADLE_TRY(engine_,
                make_engine(std::move(archive), how).with_context(fmt::format("'{}'", path)));
    TREADLE_TRY(const auto values, inputs->fresh());
    for (auto& [name, array] : input_arrays(inputs->values()))
      inputs_.emplace(std::move(name), std::move(array));
    TREADLE_TRY(const auto outputs, engine_->run(values));
    return {};
  }

  // --- comparing ---------------------------------------------------------------------------------
  /// Does the operator make memory that nobody has written? Its elements are whatever was there.
  static bool makes_undefined_contents(std::string_view target) noexcept {
    if (!target.starts_with("aten::")) return false;
    const std::string_view base = target.substr(6, target.find('.') - 6);
    for (const std::string_view name : {"empty", "empty_like", "new_empty", "empty_strided",
                                        "new_empty_strided", "empty_permuted"})
      if (base == name) return true;
    return false;
  }

  void judge_all() {
    const auto& graph = engine_->module().graph;
    for (const auto id : graph.nodes())
      for (const ValueId v : graph.node(id).outputs) {
        if (!v.valid()) continue;
        makes_values_ = true;
        const auto found = expected_.find(graph.value(v).name);
        if (found != expected_.end() && makes_undefined_contents(graph.node(id).target)) {
          ++undefined_;
          continue;
        }
        const auto* own = record_.find(graph.value(v).name);
        if (found == expected_.end()) continue;
        if (!own) {
          ++not_run_;
          continue;
        }
        auto [at, added] = judged_.emplace(v, judge(*own, *found->second));
        if (!at->second.ok) different_.emplace_back(id, v);
      }
  }

  Judgement judge(const NpyArray& found, const NpyArray& expected) const {
    if (found.dtype != expected.dtype || !(found.sizes == expected.sizes))
      return {fmt::format("{}, expected {}", describe(found), describe(expected)), false};
    const Comparison result =
        compare(found, expected,
                tolerance_of(expected.dtype, arguments_.real("--rtol"), arguments_.real("--atol")));
    return {fmt::format("{}, largest error {:.3g} absolute, {:.3g} relative", describe(found),
                        result.largest_absolute, result.largest_relative),
            result.ok};
  }

  // --- telling -----------------------------------------------------------------------------------
  void tell() const {
    if (!different_.empty()) tell_first();
    if (arguments_.has("--all"))
      for (const auto& [node, v] : different_)
        fmt::print("differs: {}: {}\n", engine_->module().graph.value(v).name, judged_.at(v).text);
    const auto& graph = engine_->module().graph;
    std::size_t unknown = 0;
    for (const auto& [name, array] : expected_)
      if (!inputs_.contains(name) && !graph.find_value(name).valid()) ++unknown;
    fmt::print("compared {} values: {} agree, {} differ", judged_.size(),
               judged_.size() - different_.size(), different_.size());
    if (unknown > 0)
      fmt::print("; {} arrays belong to no value of the program as it runs", unknown);
    if (not_run_ > 0) fmt::print("; {} values are not computed in a run", not_run_);
    if (undefined_ > 0)
      fmt::print("; {} values have undefined contents (empty and its kind) and are skipped",
                 undefined_);
    fmt::print("\n");
  }

  void tell_first() const {
    const auto& graph = engine_->module().graph;
    const auto& [id, v] = different_.front();
    const auto& node = graph.node(id);
    fmt::print("first difference: {}\n", treadle::describe(node));
    for (const ValueId out : node.outputs)
      if (const auto found = judged_.find(out); found != judged_.end())
        fmt::print("  output {}: {}, {}\n", graph.value(out).name, found->second.text,
                   found->second.ok ? "ok" : "not ok");
    const auto& found = *record_.find(graph.value(v).name);
    fmt::print("  found    {}\n  expected {}\n", first_elements(found),
               first_elements(*expected_.at(graph.value(v).name)));
    std::vector<ValueId> seen;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId input) {
        if (!input.valid() || std::ranges::find(seen, input) != seen.end()) return;
        seen.push_back(input);
        const auto judged = judged_.find(input);
        fmt::print("  input {}: {}\n", graph.value(input).name,
                   judged != judged_.end() ? fmt::format("{}, {}", judged->second.text,
                                                         judged->second.ok ? "ok" : "not ok")
                   : graph.value(input).producer.valid() ? "not in the record"
                                                         : "an input of the program");
      });
  }

  const Arguments& arguments_;
  std::map<std::string, const NpyArray*, std::less<>> expected_;
  std::map<std::string, NpyArray, std::less<>> inputs_;
  NodeRecord record_;
  std::unique_ptr<Engine> engine_;
  std::map<ValueId, Judgement> judged_;
  std::vector<std::pair<treadle::NodeId, ValueId>> different_;  ///< in program order
  std::size_t not_run_ = 0;
  std::size_t undefined_ = 0;
  bool makes_values_ = false;  ///< has the program any node with an output?
};

int run(const Arguments& arguments) {
  Differ differ(arguments);
  if (const auto status = differ.run(); !status) return report(status.error());
  return differ.same() ? good : outputs_differ;
}

constexpr Command command = {
    "diff",
    operands,
    "Compares every node's outputs with a record and names the first difference.",
    options,
    examples,
    run};

}  // namespace

const Command& diff_command() { return command; }

}  // namespace tool
