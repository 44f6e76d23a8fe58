// Names the graphs of a program.
#pragma once

#include <treadle/core/ids.hpp>

namespace treadle::inline v0 {

/// A graph of a program: 0 is the outermost, subgraphs of control nodes follow.
using GraphId = Id<struct GraphTag>;

}  // namespace treadle::inline v0
