// `treadle step`: runs a program one node at a time.
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <treadle/analysis/source.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"
#include "inputs.hpp"
#include "values.hpp"

namespace tool {
namespace {

using treadle::Status;

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    inputs_option,
    device_map_option,
    model_option,
};
constexpr std::string_view examples =
    "  treadle step model.pt2\n"
    "  printf 'run softmax\\np linear_1\\nn\\np softmax\\nq\\n' | treadle step model.pt2\n";
constexpr std::string_view commands =
    "n [COUNT]   run the current node, or the next COUNT\n"
    "c           run to the end\n"
    "run NODE    run until NODE is current\n"
    "p VALUE     print a value: a node's output, an input, a weight\n"
    "q           quit\n";

/// Reads commands until there are no more.
class Debugger {
 public:
  explicit Debugger(treadle::Stepper<Backend> stepper) : stepper_(std::move(stepper)) {}

  /// The first error of a node ends it; other mistakes are only reported.
  Status run() {
    show_place();
    std::string line;
    while (std::getline(std::cin, line)) {
      const auto begin = line.find_first_not_of(" \t\r");
      if (begin == std::string::npos) continue;
      const auto end = line.find_last_not_of(" \t\r");
      const std::string_view words = std::string_view(line).substr(begin, end - begin + 1);
      const auto gap = words.find_first_of(" \t");
      const auto verb = words.substr(0, gap);
      auto operand = gap == words.npos ? std::string_view{} : words.substr(gap);
      operand.remove_prefix(std::min(operand.find_first_not_of(" \t"), operand.size()));
      if (verb == "q") break;
      TREADLE_CHECK(obey(verb, operand));
      std::fflush(stdout);
    }
    return {};
  }

 private:
  Status obey(std::string_view verb, std::string_view operand) {
    if (verb == "n") return next(operand);
    if (verb == "c") return moved(stepper_.run_to_end());
    if (verb == "run") return run_to(operand);
    if (verb == "p")
      print(operand);
    else
      fmt::print("{}", commands);
    return {};
  }

  Status next(std::string_view operand) {
    std::size_t count = 1;
    if (!operand.empty() &&
        std::from_chars(operand.data(), operand.data() + operand.size(), count).ptr !=
            operand.data() + operand.size()) {
      fmt::print("n takes a number, found '{}'\n", operand);
      return {};
    }
    for (; count > 0 && !stepper_.at_end(); --count) TREADLE_CHECK(stepper_.next());
    show_place();
    return {};
  }

  Status run_to(std::string_view node) {
    auto status = stepper_.run_to(node);
    if (status || status.error().code() != treadle::ErrorCode::not_found)
      return moved(std::move(status));
    fmt::print("{}\n", status.error().message());
    return {};
  }
  Status moved(Status status) {
    if (status) show_place();
    return status;
  }

  void print(std::string_view name) {
    const auto value = stepper_.value(name);
    if (!value) {
      fmt::print("{}\n", value.error().message());
      return;
    }
    const auto array = to_array(*value);
    fmt::print("{}: {}\n", name,
               array ? describe(*array) + " " + first_elements(*array) : value->kind());
  }

  void show_place() const {
    if (const auto* node = stepper_.current())
      fmt::print("{}/{} {}\n", stepper_.position() + 1, stepper_.step_count(),
                 treadle::describe(*node));
    else
      fmt::print("the run is over: {} nodes\n", stepper_.step_count());
    std::fflush(stdout);
  }

  treadle::Stepper<Backend> stepper_;
};

Status step(const Arguments& arguments) {
  const std::string& path = arguments.operand(0);
  TREADLE_TRY(auto archive, read_model(path, arguments.text("--model").value_or(""),
                                       arguments.text("--device-map")));
  TREADLE_TRY(const auto inputs, Inputs::make(archive, arguments.text("--inputs")));
  TREADLE_TRY(const auto engine,
              make_engine(std::move(archive), {}).with_context(fmt::format("'{}'", path)));
  TREADLE_TRY(const auto session, engine->session(inputs.values()));
  return Debugger(session->stepper()).run();
}

int run(const Arguments& arguments) {
  const auto status = step(arguments);
  return status ? good : report(status.error());
}

constexpr Command command = {"step",  operands, "Runs a program node by node, on commands.",
                             options, examples, run};

}  // namespace

const Command& step_command() { return command; }

}  // namespace tool
