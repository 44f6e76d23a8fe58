// A bound program with one version of its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/bound_module.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// Immutable once made; plans share it. Versions of one program share everything but the weights.
template <TensorBackend Backend>
class Executable {
 public:
  /// Binds a program, see `BoundModule::make`, to its first weights.
  [[nodiscard]] static Result<std::shared_ptr<const Executable>> make(
      GraphModule module, Weights<Backend> weights, const KernelRegistry<Backend>& kernels,
      OpSet ops, Backend backend, HostParts<Backend> host = {}) {
    TREADLE_TRY(auto bound,
                BoundModule<Backend>::make(std::move(module), weights, kernels, std::move(ops),
                                           std::move(backend), std::move(host)));
    return make(std::move(bound), std::move(weights));
  }
  /// A program that is bound already, with its first weights, which delegates process.
  [[nodiscard]] static Result<std::shared_ptr<const Executable>> make(
      std::shared_ptr<const BoundModule<Backend>> bound, Weights<Backend> weights) {
    TREADLE_TRY(auto made, make_version(std::move(bound), std::move(weights), 1));
    made->bound().commit_weights();
    return made;
  }
  /// The same program with other weights, which must have the metadata of these, as the next
  /// version. Delegates process them; they are not committed yet.
  [[nodiscard]] Result<std::shared_ptr<const Executable>> with_weights(
      Weights<Backend> weights) const {
    return make_version(bound_, std::move(weights), version_ + 1);
  }

  [[nodiscard]] const BoundModule<Backend>& bound() const noexcept { return *bound_; }
  [[nodiscard]] const std::shared_ptr<const BoundModule<Backend>>& shared_bound() const noexcept {
    return bound_;
  }
  [[nodiscard]] const Weights<Backend>& weights() const noexcept { return weights_; }
  /// What the delegates made of the weights, one entry each.
  [[nodiscard]] const HostWeights& host_weights() const noexcept { return host_weights_; }
  /// 1 for the weights that the program came with; each swap or update adds one.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

  [[nodiscard]] Result<State<Backend>> make_state() const {
    Backend backend = bound_->backend();
    TREADLE_TRY(auto state, State<Backend>::make(backend, weights_, bound_->changed_weights()));
    TREADLE_CHECK(bound_->add_objects(state));
    return state;
  }

  // What the bound module tells, for those who hold the executable.
  [[nodiscard]] const GraphModule& module() const noexcept { return bound_->module(); }
  [[nodiscard]] const GraphBody& graph() const noexcept { return bound_->graph(); }
  [[nodiscard]] const BoundProgram& program() const noexcept { return bound_->program(); }
  [[nodiscard]] const ResolvedOp<Backend>& op(std::uint32_t index) const noexcept {
    return bound_->op(index);
  }
  [[nodiscard]] const OpSet& ops() const noexcept { return bound_->ops(); }
  [[nodiscard]] const std::vector<InputSource>& inputs() const noexcept { return bound_->inputs(); }
  [[nodiscard]] const std::set<std::size_t>& changed_weights() const noexcept {
    return bound_->changed_weights();
  }
  [[nodiscard]] bool is_changed(std::size_t weight) const { return bound_->is_changed(weight); }
  [[nodiscard]] Backend backend() const { return bound_->backend(); }

 private:
  Executable(std::shared_ptr<const BoundModule<Backend>> bound, Weights<Backend> weights,
             std::uint64_t version)
      : bound_(std::move(bound)), weights_(std::move(weights)), version_(version) {}

  static Result<std::shared_ptr<const Executable>> make_version(
      std::shared_ptr<const BoundModule<Backend>> bound, Weights<Backend> weights,
      std::uint64_t version) {
    std::shared_ptr<Executable> made(new Executable(std::move(bound), std::move(weights), version));
    TREADLE_TRY(made->host_weights_, made->bound().process_weights(made->weights()));
    return std::shared_ptr<const Executable>(std::move(made));
  }

  std::shared_ptr<const BoundModule<Backend>> bound_;
  Weights<Backend> weights_;
  HostWeights host_weights_;
  std::uint64_t version_;
};

}  // namespace treadle::inline v0
