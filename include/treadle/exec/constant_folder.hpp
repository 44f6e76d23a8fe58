// Computes the weights that a program derives from others.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/give_inputs.hpp>
#include <treadle/exec/plan_builder.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/exec/take_outputs.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/pass/split_constants.hpp>

namespace treadle::inline v0 {

/// What is folded.
struct FoldOptions {
  bool enabled = true;
  /// Results of more bytes stay in the program if they are larger than what they are made from.
  std::size_t largest = std::size_t{16} << 20;
};

/// The part of a program that depends on weights alone, ready to be run once for each version of
/// them. Immutable.
template <TensorBackend Backend>
class ConstantFolder {
 public:
  /// Takes that part out of `module`; null if there is none. `weights` are those of the file.
  [[nodiscard]] static Result<std::shared_ptr<const ConstantFolder>> make(
      GraphModule& module, const Weights<Backend>& weights, const KernelRegistry<Backend>& kernels,
      const OpSet& ops, Backend backend, const FoldOptions& options) {
    std::shared_ptr<const ConstantFolder> none;
    if (!options.enabled) return none;
    TREADLE_TRY(auto part,
                split_constants(module, ops, weight_facts(module, weights), options.largest));
    if (!part) return none;
    std::shared_ptr<ConstantFolder> folder(new ConstantFolder);
    TREADLE_TRY(folder->bound_, BoundModule<Backend>::make(std::move(part->module), weights,
                                                           kernels, ops, backend));
    folder->names_ = std::move(part->names);
    folder->unused_ = std::move(part->unused);
    return std::shared_ptr<const ConstantFolder>(std::move(folder));
  }

  /// Runs the constant part on `weights` as they are in the file, adds its results to them and lets
  /// go of those that the rest does not read.
  Status fold(Weights<Backend>& weights) const {
    TREADLE_TRY(const auto executable, Executable<Backend>::make(bound_, weights));
    const auto facts = detail::graph_input_facts(*executable, {});
    TREADLE_TRY(auto plan, make_plan<Backend>(executable, executable->program().root, facts, {},
                                              true, nullptr));
    TREADLE_TRY(auto frame, Frame<Backend>::make(std::move(plan)));
    TREADLE_CHECK(frame->allocate_results(false));
    frame->bind_run_views();
    RandomState random;
    RunContext<Backend> context(frame->backend(), {}, random);
    TREADLE_CHECK(run_steps(*frame, context).with_context("folding constants"));
    TREADLE_TRY(auto results, detail::take_outputs(*frame));
    for (std::size_t i = 0; i < results.size(); ++i) {
      auto* tensor = results[i].template get_if<typename Backend::Tensor>();
      if (!tensor) return Error(ErrorCode::invalid_graph, "a folded value is no tensor");
      TREADLE_CHECK(weights.add_folded(frame->backend(), names_[i], std::move(*tensor)));
    }
    for (const auto& name : unused_) weights.release(name);
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<std::string>& unused() const noexcept { return unused_; }
  /// The part that was taken out.
  [[nodiscard]] const GraphModule& module() const noexcept { return bound_->module(); }

 private:
  ConstantFolder() = default;

  static std::vector<InputFacts> weight_facts(const GraphModule& module,
                                              const Weights<Backend>& weights) {
    std::vector<InputFacts> facts(module.graph.inputs().size());
    const auto& specs = module.signature.inputs;
    for (std::size_t i = 0; i < facts.size() && i < specs.size(); ++i) {
      const bool is_weight = specs[i].kind == InputKind::parameter ||
                             specs[i].kind == InputKind::buffer ||
                             specs[i].kind == InputKind::tensor_constant;
      const auto at = is_weight ? weights.find(specs[i].target) : -1;
      if (at < 0) continue;
      const auto& source = weights.entries()[static_cast<std::size_t>(at)].source;
      facts[i].meta = source.meta;
      facts[i].storage_bytes = source.bytes.size();
      facts[i].storage = source.storage;
      facts[i].is_weight = true;
    }
    return facts;
  }

  std::shared_ptr<const BoundModule<Backend>> bound_;
  std::vector<std::string> names_;
  std::vector<std::string> unused_;
};

}  // namespace treadle::inline v0
