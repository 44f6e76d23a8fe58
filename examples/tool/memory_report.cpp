// Prints and draws the arena of a model's plan.
#include "memory_report.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <fmt/core.h>

#include <treadle/core/concat.hpp>
#include <treadle/text/memory_map.hpp>

#include "common.hpp"
#include "engine.hpp"
#include "inputs.hpp"

namespace tool {
namespace {

struct PlannedMap {
  treadle::MemoryMap map;
  std::string inputs;  ///< where the inputs' sizes come from
};

treadle::Result<PlannedMap> plan_map(const Arguments& arguments, const std::string& scheduler) {
  TREADLE_TRY(auto archive, read_model(arguments.operand(0), arguments.text("--model").value_or(""),
                                       arguments.text("--device-map")));
  TREADLE_TRY(const auto inputs, Inputs::make(archive, arguments.text("--inputs")));
  TREADLE_TRY(const auto values, inputs.fresh());
  EngineOptions how;
  how.scheduler = scheduler;
  how.threads = 1;  // the order of the steps is planned for, not the number of threads
  TREADLE_TRY(const auto engine, make_engine(std::move(archive), how));
  TREADLE_TRY(const auto plan, engine->plan_for(values));
  return PlannedMap{treadle::memory_map(*plan), inputs.origin()};
}

treadle::Status write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (file) return {};
  return treadle::Error(treadle::ErrorCode::io,
                        treadle::concat("'", path, "' could not be written"));
}

}  // namespace

int memory_report(const Arguments& arguments) {
  const std::string scheduler = arguments.text("--scheduler").value_or("serial");
  const auto planned = plan_map(arguments, scheduler);
  if (!planned) return report(planned.error());
  const std::string name = std::filesystem::path(arguments.operand(0)).filename().string();
  const std::string order = scheduler == "serial" ? "steps in program order" : "steps in any order";
  if (arguments.has("--memory"))
    fmt::print("memory of {}, {}, for {}\n\n{}", name, order, planned->inputs,
               treadle::memory_text(planned->map));
  if (const auto path = arguments.text("--memory-svg")) {
    const std::string title = fmt::format("Memory of {}, {}", name, order);
    if (auto status = write_text(*path, treadle::memory_svg(planned->map, title)); !status)
      return report(status.error());
  }
  return good;
}

}  // namespace tool
