// `treadle inspect --memory` and `--memory-svg`: what is where in the arena, and when.
#pragma once

#include "arguments.hpp"

namespace tool {

/// Plans the model for the scheduler and inputs of the command line, and prints or draws its arena.
/// Gives the exit status.
[[nodiscard]] int memory_report(const Arguments& arguments);

}  // namespace tool
