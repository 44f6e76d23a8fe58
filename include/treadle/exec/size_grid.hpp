// Every combination of input sizes that a program's bounds allow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// Names of the sizes that the user's inputs have, in order of name.
[[nodiscard]] std::vector<std::string> input_size_names(const GraphModule& module);

/// Values for all of them, in ascending order, the last name fastest. An error if one has no bounds
/// or there are more than `limit` combinations.
[[nodiscard]] Result<std::vector<Bindings>> size_grid(const GraphModule& module, std::size_t limit);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/size_grid-inl.hpp>
#endif
