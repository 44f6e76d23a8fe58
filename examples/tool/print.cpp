// `treadle print`: a program as text.
#include <string>
#include <string_view>

#include <fmt/core.h>

#include <treadle/graph/print.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"

namespace tool {
namespace {

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    {"--metadata", OptionKind::flag, "", "with Python stack traces and module paths"},
    model_option,
};
constexpr std::string_view examples =
    "  treadle print model.pt2\n"
    "  treadle print model.pt2 --metadata | less\n";

int run(const Arguments& arguments) {
  const auto archive = read_model(arguments.operand(0), arguments.text("--model").value_or(""));
  if (!archive) return report(archive.error());
  treadle::PrintOptions how;
  how.metadata = arguments.has("--metadata");
  fmt::print("{}", print(archive->module, how));
  return good;
}

constexpr Command command = {"print", operands, "Shows a program as text, one node a line.",
                             options, examples, run};

}  // namespace

const Command& print_command() { return command; }

}  // namespace tool
