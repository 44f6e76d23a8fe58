// Infers what is known of a program once the metadata of its inputs is known.
#pragma once

#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/evaluate_type.hpp>
#include <treadle/analysis/specialization.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// Infers everything that the inputs' metadata implies. `inputs` is aligned with the graph's
/// inputs. `symbols` evaluates the types that the program states, for operators without a shape
/// rule. Errors name the node.
[[nodiscard]] Result<Specialization> specialize(const BoundProgram& program,
                                                const BoundGraph& graph,
                                                const std::vector<InputFacts>& inputs,
                                                const Bindings& symbols);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/specialize-inl.hpp>
#endif
