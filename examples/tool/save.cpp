// `treadle save`: rewrites a program file in today's layout.
#include <string_view>

#include <fmt/core.h>

#include <treadle/exported/write.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"

namespace tool {
namespace {

constexpr std::string_view operands[] = {"IN.pt2", "OUT.pt2"};
constexpr Option options[] = {
    {"--device-map", OptionKind::text, "MAP", "rewrite its devices: cuda:0=cpu,*=cpu"},
    model_option,
};
constexpr std::string_view examples = "  treadle save from_torch_2_4.pt2 today.pt2\n";

int run(const Arguments& arguments) {
  const auto archive = read_model(arguments.operand(0), arguments.text("--model").value_or(""),
                                  arguments.text("--device-map"));
  if (!archive) return report(archive.error());
  const auto status = treadle::write_pt2(*archive, arguments.operand(1))
                          .with_context(fmt::format("'{}'", arguments.operand(1)));
  return status ? good : report(status.error());
}

constexpr Command command = {"save",  operands, "Writes a program file anew, in today's layout.",
                             options, examples, run};

}  // namespace

const Command& save_command() { return command; }

}  // namespace tool
