// `treadle dot`: a program as a drawing.
#include <string>
#include <string_view>

#include <fmt/core.h>

#include <treadle/text/dot.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"

namespace tool {
namespace {

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    {"--weights", OptionKind::flag, "", "draw parameters, buffers and constants too"},
    model_option,
};
constexpr std::string_view examples =
    "  treadle dot model.pt2 | dot -Tsvg -o model.svg\n"
    "  treadle dot model.pt2 --weights > model.dot\n";

int run(const Arguments& arguments) {
  const auto archive = read_model(arguments.operand(0), arguments.text("--model").value_or(""));
  if (!archive) return report(archive.error());
  treadle::DotOptions how;
  how.weights = arguments.has("--weights");
  fmt::print("{}", treadle::to_dot(archive->module, how));
  return good;
}

constexpr Command command = {"dot",   operands, "Draws a program in Graphviz's language.",
                             options, examples, run};

}  // namespace

const Command& dot_command() { return command; }

}  // namespace tool
