// `treadle trace`: what ran when on which thread, as a file for a trace viewer.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/exec/program_trace.hpp>
#include <treadle/trace/recorder.hpp>

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
    {"--repeat", OptionKind::count, "N", "runs to record (1), after one that is not recorded"},
    {"--out", OptionKind::text, "TRACE.json", "the file to write (trace.json)"},
    device_map_option,
    model_option,
};
constexpr std::string_view examples =
    "  treadle trace model.pt2\n"
    "  treadle trace model.pt2 --scheduler pool --threads 4 --repeat 3 --out pool.json\n"
    "open the file in https://ui.perfetto.dev or chrome://tracing\n";

constexpr std::size_t most_events = 1'000'000;

Status write_text(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed) return {};
  return treadle::Error(treadle::ErrorCode::io, fmt::format("'{}' can't be written", path));
}

/// Records a few runs of a session.
class Tracing {
 public:
  explicit Tracing(const Arguments& arguments) : arguments_(arguments) {
    how_.scheduler = arguments.text("--scheduler").value_or("serial");
    how_.threads = arguments.count("--threads", 0);
    how_.probe = &probe_;
  }

  Status run() {
    const std::string& path = arguments_.operand(0);
    TREADLE_TRY(auto archive, read_model(path, arguments_.text("--model").value_or(""),
                                         arguments_.text("--device-map")));
    TREADLE_TRY(const auto inputs, Inputs::make(archive, arguments_.text("--inputs")));
    TREADLE_TRY(const auto values, inputs.fresh());
    TREADLE_TRY(engine_,
                make_engine(std::move(archive), how_).with_context(fmt::format("'{}'", path)));
    TREADLE_TRY(const auto plan, engine_->plan_for(values));
    TREADLE_TRY(const auto session, engine_->session(values));
    TREADLE_CHECK(session->run());
    make_room(*plan);
    for (std::size_t i = 0; i < arguments_.count("--repeat", 1); ++i) TREADLE_CHECK(session->run());
    const auto out = arguments_.text("--out").value_or("trace.json");
    TREADLE_CHECK(write_text(out, treadle::chrome_trace(probe_.tracer, *plan, path)));
    tell(out);
    return {};
  }

 private:
  /// Loops may need more than this: then the last events are kept.
  void make_room(const Plan& plan) {
    std::size_t nodes = 1;
    for (const auto count : treadle::node_capacities(plan.executable->program())) nodes += count;
    const std::size_t wanted = 4 * nodes * arguments_.count("--repeat", 1);
    const std::size_t threads =
        how_.threads > 0 ? how_.threads : std::max(1u, std::thread::hardware_concurrency());
    probe_.tracer.reset({.threads = how_.scheduler == "pool" ? threads + 2 : 2,
                         .events_a_thread = std::clamp<std::size_t>(wanted, 4096, most_events)});
  }

  void tell(const std::string& out) const {
    const auto threads = probe_.tracer.threads();
    std::size_t events = 0;
    for (const auto& thread : threads) events += thread.events.size();
    fmt::print("{}: {} events of {} thread{}, {} dropped; open it in https://ui.perfetto.dev\n",
               out, events, threads.size(), threads.size() == 1 ? "" : "s",
               probe_.tracer.dropped());
  }

  const Arguments& arguments_;
  EngineOptions how_;
  ProbeOf<treadle::Recorder> probe_;
  std::unique_ptr<Engine> engine_;
};

int run(const Arguments& arguments) {
  const auto status = Tracing(arguments).run();
  return status ? good : report(status.error());
}

constexpr Command command = {
    "trace", operands, "Records when and where each node runs, for a trace viewer.",
    options, examples, run};

}  // namespace

const Command& trace_command() { return command; }

}  // namespace tool
