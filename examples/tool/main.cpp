// The command-line tool: picks the subcommand.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "common.hpp"

namespace {

using tool::Command;

std::vector<const Command*> commands() {
  return {&tool::run_command(),      &tool::inspect_command(), &tool::print_command(),
          &tool::dot_command(),      &tool::bench_command(),   &tool::trace_command(),
          &tool::diff_command(),     &tool::step_command(),    &tool::save_command(),
          &tool::operators_command()};
}

void print_help() {
  fmt::print("treadle runs and examines programs that torch.export saved.\n\n");
  for (const auto* command : commands())
    fmt::print("  {:<40}{}\n", tool::usage(*command), command->summary);
  fmt::print(
      "\n'treadle SUBCOMMAND --help' tells the options.\n\n"
      "examples:\n"
      "  treadle run model.pt2 --inputs in.npz --expect out.npz\n"
      "  treadle inspect model.pt2\n"
      "  treadle bench model.pt2 --scheduler pool --threads 2\n"
      "  treadle trace model.pt2 --out trace.json\n\n"
      "exit status: 0 good, 1 outputs differ, 2 wrong usage, 3 a file or an operator failed\n");
}

bool asks_help(std::string_view word) { return word == "--help" || word == "-h"; }

int run_command(const Command& command, std::span<const std::string_view> words) {
  if (std::ranges::any_of(words, asks_help)) {
    fmt::print("{}", tool::help(command));
    return tool::good;
  }
  const auto arguments = tool::Arguments::parse(command, words);
  if (arguments) return command.run(*arguments);
  return tool::report(fmt::format("{} (usage: {}; 'treadle {} --help' tells more)",
                                  arguments.error().message(), tool::usage(command), command.name),
                      tool::wrong_usage);
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string_view> given(words + std::min(count, 1), words + count);
  if (given.empty()) {
    print_help();
    return tool::wrong_usage;
  }
  if (asks_help(given[0]) || given[0] == "help") {
    print_help();
    return tool::good;
  }
  const std::span rest(given.data() + 1, given.size() - 1);
  for (const auto* command : commands())
    if (command->name == given[0]) return run_command(*command, rest);
  return tool::report(
      fmt::format("there is no subcommand '{}' ('treadle --help' lists them)", given[0]),
      tool::wrong_usage);
}
