// Takes the part of a program that depends on weights alone out of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <treadle/analysis/specialize.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// A program of its own that makes, from weights, values that the rest takes as further weights.
struct ConstantPart {
  GraphModule module;              ///< its inputs are weights, its outputs the values
  std::vector<std::string> names;  ///< targets, one an output, under which the rest expects them
  /// Targets of weights that the rest does not read any more.
  std::vector<std::string> unused;
};

/// Moves every pure computation whose arguments are constants, weights that never change, or
/// results of such computations into a `ConstantPart`; the module keeps inputs of kind tensor
/// constant in their place. Random, effectful and control operators stay, so does everything whose
/// storage is written, and views, which cost nothing. A result of more than `largest` bytes stays
/// too if it is larger than what it is made from. `inputs` is aligned with the graph's inputs;
/// weights have `is_weight`. Nothing is changed, and nothing is given, if there is nothing to
/// compute.
[[nodiscard]] Result<std::optional<ConstantPart>> split_constants(GraphModule& module,
                                                                  const OpSet& ops,
                                                                  std::vector<InputFacts> inputs,
                                                                  std::size_t largest);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/split_constants-inl.hpp>
#endif
