// Makes a program file's graph ready for execution.
#pragma once

#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/decompose.hpp>

namespace treadle::inline v0 {

/// Dissolves what only wraps other operators: regions without gradients, under autocast or over a
/// batch, called subgraphs, functionalised in-place operators.
[[nodiscard]] Status dissolve_wrappers(GraphModule& module, const OpSet& ops);

/// The same, and operators without a kernel give way to their definitions by others.
template <TensorBackend Backend>
[[nodiscard]] Status prepare_module(GraphModule& module, const OpSet& ops,
                                    const KernelRegistry<Backend>& kernels) {
  TREADLE_CHECK(dissolve_wrappers(module, ops));
  TREADLE_CHECK(decompose(module.graph, ops,
                          [&](std::string_view target) { return kernels.contains(target); }));
  return {};
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/model/prepare_module-inl.hpp>
#endif
