// `treadle run`: runs a program, compares and stores its outputs.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/archive/npz.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "compare.hpp"
#include "engine.hpp"
#include "inputs.hpp"
#include "run_watch.hpp"
#include "values.hpp"

namespace tool {
namespace {

using treadle::NamedArray;
using treadle::Result;
using treadle::Status;

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    {"--inputs", OptionKind::text, "IN.npz", "arrays in0, in1, …: the inputs, trees flattened"},
    {"--outputs", OptionKind::text, "OUT.npz", "store the outputs as out0, out1, …"},
    {"--expect", OptionKind::text, "OUT.npz", "compare the outputs with out0, out1, …"},
    rtol_option,
    atol_option,
    scheduler_option,
    threads_option,
    {"--repeat", OptionKind::count, "N", "calls, each with the same inputs (1); state goes on"},
    device_map_option,
    {"--watch-nan", OptionKind::flag, "", "name the first node that makes a NaN or an infinity"},
    {"--record-nodes", OptionKind::text, "R.npz", "store inputs and every node's outputs by name"},
    model_option,
};
constexpr std::string_view examples =
    "  treadle run model.pt2\n"
    "  treadle run model.pt2 --inputs in.npz --outputs out.npz\n"
    "  treadle run model.pt2 --inputs both.npz --expect both.npz --repeat 2\n"
    "  treadle run model.pt2 --scheduler pool --threads 4 --expect out.npz --rtol 1e-3\n"
    "  treadle run model.pt2 --inputs in.npz --watch-nan\n"
    "  treadle run model.pt2 --record-nodes before.npz && treadle diff changed.pt2 before.npz\n";

/// Runs the calls and judges them.
class Runner {
 public:
  explicit Runner(const Arguments& arguments) : arguments_(arguments) {}

  Status prepare() {
    TREADLE_TRY(auto archive,
                read_model(arguments_.operand(0), arguments_.text("--model").value_or(""),
                           arguments_.text("--device-map")));
    TREADLE_TRY(inputs_, Inputs::make(archive, arguments_.text("--inputs")));
    if (const auto path = arguments_.text("--expect")) {
      TREADLE_TRY(expected_, treadle::read_npz(*path));
    }
    EngineOptions how;
    how.scheduler = arguments_.text("--scheduler").value_or("serial");
    how.threads = arguments_.count("--threads", 0);
    how.probe = watch_.prepare(arguments_, *inputs_);
    auto engine = make_engine(std::move(archive), how);
    if (!engine)
      return std::move(engine).with_context(fmt::format("'{}'", arguments_.operand(0))).error();
    engine_ = *std::move(engine);
    return {};
  }

  Status run() {
    const std::size_t calls = arguments_.count("--repeat", 1);
    for (std::size_t call = 1; call <= calls; ++call) {
      TREADLE_TRY(auto inputs, inputs_->fresh());
      TREADLE_TRY(const auto outputs, engine_->run(inputs));
      TREADLE_CHECK(take(outputs, call));
      watch_.end_of_call();
    }
    if (!watch_.report(engine_->module())) ok_ = false;
    TREADLE_CHECK(watch_.write());
    if (const auto path = arguments_.text("--outputs"))
      TREADLE_CHECK(treadle::write_npz(*path, stored_).with_context(fmt::format("'{}'", *path)));
    return {};
  }

  [[nodiscard]] bool all_ok() const noexcept { return ok_; }

 private:
  static std::string suffix(std::size_t call) {
    return call == 1 ? std::string() : fmt::format("_{}", call);
  }
  const treadle::NpyArray* find(const std::string& name) const {
    const auto found = std::ranges::find(expected_, name, &NamedArray::first);
    return found == expected_.end() ? nullptr : &found->second;
  }

  Status take(const std::vector<Value>& outputs, std::size_t call) {
    const bool judge = arguments_.has("--expect") && has_call(call);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto name = fmt::format("out{}{}", i, suffix(call));
      auto array = to_array(outputs[i]);
      if (judge) {
        TREADLE_CHECK(judge_output(name, outputs[i], array));
      } else if (!arguments_.has("--expect")) {
        fmt::print("{}: {}\n", name, shown(outputs[i], array));
      }
      if (array && arguments_.has("--outputs")) stored_.emplace_back(name, *std::move(array));
    }
    if (judge) find_surplus(outputs.size(), call);
    return {};
  }

  /// The first call must be in the file; later ones are compared where they are.
  bool has_call(std::size_t call) const {
    if (call == 1) return true;
    return std::ranges::any_of(expected_, [&](const NamedArray& array) {
      return array.first.starts_with("out") && array.first.ends_with(suffix(call));
    });
  }

  static std::string shown(const Value& value, const std::optional<treadle::NpyArray>& array) {
    if (array) return fmt::format("{} {}", describe(*array), first_elements(*array));
    if (const auto* text = value.get_if<std::string>()) return fmt::format("\"{}\"", *text);
    return std::string(value.kind());
  }

  Status judge_output(const std::string& name, const Value& value,
                      const std::optional<treadle::NpyArray>& found) {
    const auto* expected = find(name);
    if (!found && !expected) {
      fmt::print("{}: {}, ok\n", name, shown(value, found));
    } else if (!found) {
      ok_ = false;
      fmt::print("{}: {}, expected {}, not ok\n", name, shown(value, found), describe(*expected));
    } else if (!expected) {
      return treadle::Error(treadle::ErrorCode::not_found,
                            fmt::format("'{}' has no array '{}' to compare with",
                                        *arguments_.text("--expect"), name));
    } else {
      judge_array(name, *found, *expected);
    }
    return {};
  }

  void judge_array(const std::string& name, const treadle::NpyArray& found,
                   const treadle::NpyArray& expected) {
    if (found.dtype != expected.dtype || !(found.sizes == expected.sizes)) {
      ok_ = false;
      fmt::print("{}: {}, expected {}, not ok\n", name, describe(found), describe(expected));
      return;
    }
    const Tolerance tolerance =
        tolerance_of(expected.dtype, arguments_.real("--rtol"), arguments_.real("--atol"));
    const Comparison result = compare(found, expected, tolerance);
    ok_ = ok_ && result.ok;
    fmt::print("{}: {}, largest error {:.3g} absolute, {:.3g} relative, {}\n", name,
               describe(found), result.largest_absolute, result.largest_relative,
               result.ok ? "ok" : "not ok");
  }

  /// Arrays of this call that the program has no output for.
  void find_surplus(std::size_t outputs, std::size_t call) {
    for (std::size_t i = outputs; const auto* array = find(fmt::format("out{}{}", i, suffix(call)));
         ++i) {
      ok_ = false;
      fmt::print("out{}{}: nothing, expected {}, not ok\n", i, suffix(call), describe(*array));
    }
  }

  const Arguments& arguments_;
  std::optional<Inputs> inputs_;
  std::vector<NamedArray> expected_;
  std::vector<NamedArray> stored_;
  RunWatch watch_;
  std::unique_ptr<Engine> engine_;
  bool ok_ = true;
};

int run(const Arguments& arguments) {
  Runner runner(arguments);
  if (auto status = runner.prepare(); !status) return report(status.error());
  if (auto status = runner.run(); !status) return report(status.error());
  return runner.all_ok() ? good : outputs_differ;
}

constexpr Command command = {
    "run",   operands, "Runs a program and shows, compares or stores its outputs.",
    options, examples, run};

}  // namespace

const Command& run_command() { return command; }

}  // namespace tool
