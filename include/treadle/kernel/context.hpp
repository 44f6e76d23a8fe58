// What a kernel is given besides its arguments, when it prepares and when it runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/kernel/prepared_share.hpp>
#include <treadle/kernel/random.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0 {

struct RunOptions;

/// What is known of a tensor argument or result before a run. A default-made one stands for None.
template <TensorBackend Backend>
class TensorInfo {
 public:
  TensorInfo() noexcept = default;
  /// Both must outlive this; `constant` may be null.
  TensorInfo(const TensorMeta* meta, const typename Backend::Tensor* constant) noexcept
      : meta_(meta), constant_(constant) {}

  [[nodiscard]] bool is_none() const noexcept { return meta_ == nullptr; }
  [[nodiscard]] const TensorMeta& meta() const noexcept { return *meta_; }
  [[nodiscard]] DType dtype() const noexcept { return meta_->dtype; }
  /// The tensor itself if its contents never change (a weight, a number), else null.
  [[nodiscard]] const typename Backend::Tensor* constant() const noexcept { return constant_; }

 private:
  const TensorMeta* meta_ = nullptr;
  const typename Backend::Tensor* constant_ = nullptr;
};

/// A schema argument as it is known before a run.
template <TensorBackend Backend>
using KernelArgument =
    std::variant<Constant, TensorInfo<Backend>, std::vector<TensorInfo<Backend>>>;

/// What the host's delegates made of one version of the weights, by the delegate's number.
using HostWeights = std::vector<std::shared_ptr<const void>>;

/// Given to `prepare`. Valid for that call only.
template <TensorBackend Backend>
class PrepareContext {
 public:
  /// All must outlive this. `arguments` is aligned with the schema; `results` are flattened.
  PrepareContext(Backend& backend, std::span<const KernelArgument<Backend>> arguments,
                 std::span<const TensorInfo<Backend>> results, PreparedShare* share = nullptr,
                 const HostWeights* host_weights = nullptr)
      : backend_(&backend),
        arguments_(arguments),
        results_(results),
        share_(share),
        host_weights_(host_weights) {}

  [[nodiscard]] Backend& backend() const noexcept { return *backend_; }
  [[nodiscard]] const KernelArgument<Backend>& argument(std::size_t i) const noexcept {
    return arguments_[i];
  }
  [[nodiscard]] std::span<const TensorInfo<Backend>> results() const noexcept { return results_; }

  /// Asks for workspace of this many bytes during each run, aligned to 64 bytes; the largest
  /// request counts. `RunContext::scratch` points to it.
  void request_scratch(std::size_t bytes) noexcept {
    scratch_bytes_ = std::max(scratch_bytes_, bytes);
  }
  [[nodiscard]] std::size_t scratch_bytes() const noexcept { return scratch_bytes_; }
  /// Counts memory that the prepared state keeps (packed weights), for reports.
  void count_kept(std::size_t bytes) noexcept { kept_bytes_ += bytes; }
  [[nodiscard]] std::size_t kept_bytes() const noexcept { return kept_bytes_; }
  /// Where kernels look for what was made from the same weight before; null where nothing is
  /// shared.
  [[nodiscard]] PreparedShare* share() const noexcept { return share_; }
  /// What delegate number `i` made of the weights of the plan; null if nothing.
  [[nodiscard]] std::shared_ptr<const void> host_weights(std::size_t i) const {
    return host_weights_ && i < host_weights_->size() ? (*host_weights_)[i] : nullptr;
  }

  /// An error of a kernel that can't handle what it is given; the binder adds the node.
  template <class... Pieces>
  [[nodiscard]] Error fail(const Pieces&... pieces) const {
    return make_error(ErrorCode::type_mismatch, pieces...);
  }

 private:
  Backend* backend_;
  std::span<const KernelArgument<Backend>> arguments_;
  std::span<const TensorInfo<Backend>> results_;
  PreparedShare* share_;
  const HostWeights* host_weights_;
  std::size_t scratch_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
};

/// Given to `run`, one a thread that runs steps.
template <TensorBackend Backend>
class RunContext {
 public:
  /// `backend` and `random` must outlive this.
  RunContext(Backend& backend, ParallelFor split, RandomState& random) noexcept
      : parallel_for(split), backend_(&backend), random_(&random) {}

  /// Splits work over the scheduler of the run.
  ParallelFor parallel_for;

  [[nodiscard]] Backend& backend() const noexcept { return *backend_; }
  /// The workspace asked for in `prepare`; null if none was.
  [[nodiscard]] std::byte* scratch() const noexcept { return scratch_; }
  void set_scratch(std::byte* scratch) noexcept { scratch_ = scratch; }
  [[nodiscard]] RandomState& random() const noexcept { return *random_; }
  /// When the run must stop; null if nothing limits it. Long kernels may look, see `check_limits`.
  [[nodiscard]] const RunOptions* limits() const noexcept { return limits_; }
  /// `limits` must outlive this.
  void set_limits(const RunOptions* limits) noexcept { limits_ = limits; }

  /// Gives `out` new memory: only for results whose sizes depend on element values, which come
  /// empty.
  Status allocate(typename Backend::Tensor& out, const TensorMeta& meta) {
    TREADLE_TRY(out, backend_->empty(meta));
    return {};
  }

  template <class... Pieces>
  [[nodiscard]] Error fail(const Pieces&... pieces) const {
    return make_error(ErrorCode::kernel_failed, pieces...);
  }

 private:
  Backend* backend_;
  std::byte* scratch_ = nullptr;
  RandomState* random_;
  const RunOptions* limits_ = nullptr;
};

}  // namespace treadle::inline v0
