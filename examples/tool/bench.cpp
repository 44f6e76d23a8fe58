// `treadle bench`: how long a run takes, and where the time goes.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/exec/program_trace.hpp>
#include <treadle/trace/node_times.hpp>

#include "bench_report.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"
#include "inputs.hpp"

namespace tool {
namespace {

using treadle::Result;
using treadle::Status;

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    inputs_option,
    scheduler_option,
    threads_option,
    {"--seconds", OptionKind::real, "S", "how long to measure, about (2)"},
    {"--per-node", OptionKind::flag, "", "tables of time by node and by operator, of one run"},
    {"--per-operator", OptionKind::flag, "", "the table by operator alone"},
    {"--json", OptionKind::flag, "", "the results as one JSON object"},
    device_map_option,
    model_option,
};
constexpr std::string_view examples =
    "  treadle bench model.pt2\n"
    "  treadle bench model.pt2 --scheduler pool --threads 2 --seconds 5\n"
    "  treadle bench model.pt2 --per-node\n"
    "  treadle bench model.pt2 --per-operator --json | jq .operators\n"
    "  treadle bench model.pt2 --json | jq .median_us\n";

/// Makes the engines and times them.
class Bench {
 public:
  explicit Bench(const Arguments& arguments) : arguments_(arguments) {
    how_.scheduler = arguments.text("--scheduler").value_or("serial");
    how_.threads = arguments.count("--threads", 0);
    seconds_ = arguments.real("--seconds").value_or(2);
  }

  Result<BenchReport> run() {
    BenchReport report;
    report.model = arguments_.operand(0);
    report.scheduler = how_.scheduler;
    report.threads = threads();
    TREADLE_CHECK(time_runs(report));
    if (arguments_.has("--per-node") || arguments_.has("--per-operator"))
      TREADLE_CHECK(time_nodes(report));
    return report;
  }

 private:
  std::size_t threads() const {
    if (how_.scheduler != "pool") return 1;
    return how_.threads > 0 ? how_.threads : std::max(1u, std::thread::hardware_concurrency());
  }

  Status load(BenchReport& report) {
    const std::string& path = arguments_.operand(0);
    TREADLE_TRY(auto archive, read_model(path, arguments_.text("--model").value_or(""),
                                         arguments_.text("--device-map")));
    TREADLE_TRY(const auto inputs, Inputs::make(archive, arguments_.text("--inputs")));
    report.inputs = inputs.origin();
    TREADLE_TRY(values_, inputs.fresh());
    TREADLE_TRY(engine_,
                make_engine(std::move(archive), how_).with_context(fmt::format("'{}'", path)));
    return {};
  }

  /// The first half of the time goes to `Model::run`, the second to a session.
  Status time_runs(BenchReport& report) {
    TREADLE_CHECK(load(report));
    TREADLE_TRY(report.run, measure("Model::run", seconds_ / 2, [&]() -> Status {
                  auto outputs = engine_->run(values_);
                  if (!outputs) return std::move(outputs).error();
                  return {};
                }));
    TREADLE_TRY(const auto session, engine_->session(values_));
    TREADLE_TRY(report.session,
                measure("Session::run", seconds_ / 2, [&] { return session->run(); }));
    return {};
  }

  /// A run of its own: looking at the clock twice a node costs time.
  Status time_nodes(BenchReport& report) {
    how_.probe = &probe_;
    TREADLE_CHECK(load(report));
    TREADLE_TRY(const auto plan, engine_->plan_for(values_));
    const auto& program = plan->executable->program();
    probe_.tracer.reset(treadle::node_capacities(program), threads() + 1);
    TREADLE_TRY(const auto session, engine_->session(values_));
    for (int i = 0; i < 3; ++i) TREADLE_CHECK(session->run());
    probe_.tracer.clear();
    std::size_t runs = 0;
    TREADLE_CHECK(measure("by node", seconds_ / 4, [&] {
      ++runs;
      return session->run();
    }));
    report.nodes = node_report(program, probe_.tracer, runs);
    report.by_node = arguments_.has("--per-node");
    return {};
  }

  const Arguments& arguments_;
  EngineOptions how_;
  double seconds_ = 2;
  std::vector<Value> values_;
  ProbeOf<treadle::NodeTimes> probe_;
  std::unique_ptr<Engine> engine_;
};

void print_report(const BenchReport& report) {
  fmt::print("{} scheduler, {} thread{}, inputs from {}\n", report.scheduler, report.threads,
             report.threads == 1 ? "" : "s", report.inputs);
  if (report.nodes && report.by_node) fmt::print("\n{}", report.nodes->node_table());
  if (report.nodes) fmt::print("\n{}\n", report.nodes->operator_table());
  fmt::print("session: {} runs, fastest {:.3f} us\n", report.session.runs,
             report.session.smallest());
  fmt::print("model_run_median_us {:.3f}\n", report.run.median());
  fmt::print("median_us {:.3f}\n", report.session.median());
}

int run(const Arguments& arguments) {
  const auto report = Bench(arguments).run();
  if (!report) return tool::report(report.error());
  if (arguments.has("--json"))
    fmt::print("{}", bench_json(*report));
  else
    print_report(*report);
  return good;
}

constexpr Command command = {"bench", operands, "Measures how long a run takes, on one scheduler.",
                             options, examples, run};

}  // namespace

const Command& bench_command() { return command; }

}  // namespace tool
