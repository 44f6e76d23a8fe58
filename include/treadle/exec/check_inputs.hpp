// Holds a caller's inputs against what the program promises to take.
#pragma once

#include <vector>

#include <treadle/analysis/specialize.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// Checks kinds, dtypes, ranks, sizes, ranges and guards of the inputs that the caller gives, and
/// binds the named sizes. `inputs` is aligned with the graph's inputs. Errors name the input,
/// expected and found. Guards that can't be decided are left out.
[[nodiscard]] Result<Bindings> check_inputs(const GraphModule& module,
                                            const std::vector<InputFacts>& inputs);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/check_inputs-inl.hpp>
#endif
