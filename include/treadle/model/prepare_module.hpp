// Makes a program file's graph ready for execution.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/custom_classes.hpp>
#include <treadle/exec/delegate.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/exported/exported_archive.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/pass/inline_batches.hpp>
#include <treadle/pass/inline_functionalized.hpp>
#include <treadle/pass/inline_wrappers.hpp>

namespace treadle::inline v0 {

/// The archive's weights in the form that backends take.
[[nodiscard]] inline std::vector<WeightSource> weight_sources(const ExportedArchive& archive) {
  std::vector<WeightSource> sources;
  sources.reserve(archive.weights.size());
  for (const auto& weight : archive.weights) {
    WeightSource source;
    source.name = weight.fqn;
    source.meta = weight.meta;
    source.bytes = weight.storage.span();
    source.owner = weight.storage.owner();
    source.storage = weight.storage_id;
    sources.push_back(std::move(source));
  }
  return sources;
}

/// The archive's custom objects in the form that classes take.
[[nodiscard]] inline std::vector<ObjectSource> object_sources(const ExportedArchive& archive) {
  std::vector<ObjectSource> sources;
  for (const auto& object : archive.custom_objects)
    sources.push_back({object.fqn, {}, object.bytes.span(), object.bytes.owner()});
  return sources;
}

/// The archive's records for delegates.
[[nodiscard]] inline std::vector<DelegateFile> delegate_files(const ExportedArchive& archive) {
  std::vector<DelegateFile> files;
  for (const auto& file : archive.delegate_files)
    files.push_back({file.name, file.bytes.span(), file.bytes.owner()});
  return files;
}

/// Dissolves what only wraps other operators: regions without gradients, under autocast or over a
/// batch, called subgraphs, functionalised in-place operators.
[[nodiscard]] inline Status dissolve_wrappers(GraphModule& module, const OpSet& ops) {
  TREADLE_CHECK(inline_wrappers(module.graph));
  TREADLE_CHECK(inline_batches(module.graph));
  TREADLE_CHECK(inline_functionalized(module.graph, ops));
  return {};
}

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
