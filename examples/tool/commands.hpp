// The subcommands, one a file.
#pragma once

#include "arguments.hpp"

namespace tool {

[[nodiscard]] const Command& run_command();
[[nodiscard]] const Command& inspect_command();
[[nodiscard]] const Command& print_command();
[[nodiscard]] const Command& dot_command();
[[nodiscard]] const Command& bench_command();
[[nodiscard]] const Command& trace_command();
[[nodiscard]] const Command& diff_command();
[[nodiscard]] const Command& step_command();
[[nodiscard]] const Command& save_command();
[[nodiscard]] const Command& operators_command();

}  // namespace tool
