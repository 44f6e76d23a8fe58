// Programs of a dialect of one's choice: model.hpp without the standard one.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/placement.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/exec/bind_delegates.hpp>
#include <treadle/exec/claim_nodes.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/host_parts.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/exported/read.hpp>
#include <treadle/kernel/default_kernels.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/kernel/run_options.hpp>
#include <treadle/model/archive_sources.hpp>
#include <treadle/model/dialect.hpp>
#include <treadle/model/match_keywords.hpp>
#include <treadle/model/model_options.hpp>
#include <treadle/model/place_archive.hpp>
#include <treadle/pass/decompose.hpp>
#include <treadle/pass/settle_mutations.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/trace/tracer.hpp>
#include <treadle/value/tree.hpp>
#include <treadle/value/tree_call.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// A loaded program. Runs may come from many threads; those of a program that remembers something
/// take turns on the model's own state (sessions have states of their own). Movable.
///
///     auto model = treadle::Model<>::load("model.pt2");
///     if (!model) return report(model.error());
///     auto outputs = model->run({image});
template <TensorBackend Backend = cpu::Backend, AnyScheduler S = Serial, Tracer T = NoTracer>
class Model {
 public:
  using Tensor = typename Backend::Tensor;
  using Outputs = std::vector<Value<Backend>>;
  using Options = ModelOptions<Backend>;

  /// Loads a file with the backend's own kernels. Errors say what, where, expected and found; all
  /// operators without a kernel are listed at once.
  [[nodiscard]] static Result<Model> load(const std::string& path, Options options = {})
    requires SerialScheduler<S>;
  /// The same with kernels of one's choice.
  [[nodiscard]] static Result<Model> load(const std::string& path, KernelRegistry<Backend> kernels,
                                          Options options = {})
    requires SerialScheduler<S>;
  /// Loads a file and runs it on `scheduler`, which must outlive the model.
  [[nodiscard]] static Result<Model> load(const std::string& path, S& scheduler,
                                          Options options = {});
  [[nodiscard]] static Result<Model> load(const std::string& path, S& scheduler,
                                          KernelRegistry<Backend> kernels, Options options = {});
  /// Loads a program of another dialect than the standard one.
  template <Dialect D>
  [[nodiscard]] static Result<Model> load(const std::string& path, KernelRegistry<Backend> kernels,
                                          ModelOptions<Backend, D> options)
    requires SerialScheduler<S>
  {
    TREADLE_TRY(auto archive, read(path, options));
    auto own = std::make_unique<S>();
    S& scheduler = *own;
    return make(std::move(archive), std::move(kernels), scheduler, std::move(own),
                std::move(options));
  }
  template <Dialect D>
  [[nodiscard]] static Result<Model> load(const std::string& path, S& scheduler,
                                          KernelRegistry<Backend> kernels,
                                          ModelOptions<Backend, D> options) {
    TREADLE_TRY(auto archive, read(path, options));
    return make(std::move(archive), std::move(kernels), scheduler, nullptr, std::move(options));
  }
  /// From an archive that was read before.
  [[nodiscard]] static Result<Model> from(ExportedArchive archive, S& scheduler,
                                          KernelRegistry<Backend> kernels, Options options = {});

  /// Runs with positional arguments, trees flattened: the program's user inputs in order. Numbers
  /// that were fixed at export may be left out as `Value()`. Tensors are borrowed for the call; one
  /// that the program writes is changed in place. Gives the outputs, trees flattened.
  /// `options` say when to stop, see `RunOptions`.
  Result<Outputs> run(std::span<const Value<Backend>> inputs, const RunOptions& options = {});
  Result<Outputs> run(std::initializer_list<Value<Backend>> inputs,
                      const RunOptions& options = {}) {
    return run(std::span<const Value<Backend>>(inputs.begin(), inputs.size()), options);
  }
  Result<Outputs> run(const std::vector<Value<Backend>>& inputs, const RunOptions& options = {}) {
    return run(std::span<const Value<Backend>>(inputs), options);
  }
  /// The same, but `busy` instead of waiting for a frame or for the model's state.
  Result<Outputs> try_run(std::span<const Value<Backend>> inputs);
  /// Runs with keyword arguments after the positional ones, in any order. Names are those of the
  /// Python function; an argument that is a tree takes `run_tree`.
  Result<Outputs> run(std::initializer_list<Value<Backend>> positional,
                      std::vector<NamedValue<Backend>> keywords);
  /// Runs with arguments that are trees of values and gives the outputs as the tree that the Python
  /// function returned.
  Result<ValueTree<Backend>> run_tree(
      const std::vector<ValueTree<Backend>>& positional,
      const std::vector<std::pair<std::string, ValueTree<Backend>>>& keywords = {});

  /// The program, after its wrappers were dissolved.
  [[nodiscard]] const GraphModule& module() const noexcept {
    return impl_->executor.bound().module();
  }
  /// The program with the weights of now.
  [[nodiscard]] std::shared_ptr<const Executable<Backend>> executable() const noexcept {
    return impl_->executor.executable();
  }
  [[nodiscard]] Executor<Backend, S, T>& executor() noexcept { return impl_->executor; }
  [[nodiscard]] Backend backend() const { return impl_->executor.bound().backend(); }
  /// What the program remembers between the runs of this model. No run may be in progress.
  [[nodiscard]] State<Backend>& state() noexcept { return impl_->state; }
  /// Forgets it: buffers are as in the file again.
  Status reset_state();

  // --- weights -----------------------------------------------------------------------------------
  /// Replaces all weights by those of another file of the same program, while runs and sessions go
  /// on; see `Executor::swap_weights`. Gives the new version.
  Result<std::uint64_t> swap_weights(const std::string& path, const WeightSwapOptions& options = {},
                                     const LoadLimits& limits = {},
                                     const std::string& model_name = {});
  /// Replaces some weights by tensors, by name; see `Executor::update_weights`.
  Result<std::uint64_t> update_weights(
      const std::vector<std::pair<std::string, typename Backend::Tensor>>& tensors);
  [[nodiscard]] std::uint64_t weights_version() const noexcept {
    return impl_->executor.weights_version();
  }

  /// A session for inputs like these, with a state of its own; see `Session`. The model must
  /// outlive it.
  [[nodiscard]] Result<Session<Backend, S, T>> session(std::span<const Value<Backend>> inputs,
                                                       SessionOptions options = {});
  [[nodiscard]] Result<Session<Backend, S, T>> session(std::initializer_list<Value<Backend>> inputs,
                                                       SessionOptions options = {}) {
    return session(std::span<const Value<Backend>>(inputs.begin(), inputs.size()), options);
  }

 private:
  struct Impl {
    Impl(std::shared_ptr<const Executable<Backend>> executable, S& scheduler,
         std::unique_ptr<S> own, State<Backend> first_state, ExecutorOptions options,
         std::shared_ptr<const ConstantFolder<Backend>> folder)
        : own_scheduler(std::move(own)),
          state(std::move(first_state)),
          executor(std::move(executable), scheduler, T{}, options, std::move(folder)) {}
    ~Impl();

    std::unique_ptr<S> own_scheduler;
    State<Backend> state;
    std::mutex state_mutex;
    Executor<Backend, S, T> executor;
  };

  explicit Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

  template <class D>
  static Result<ExportedArchive> read(const std::string& path,
                                      const ModelOptions<Backend, D>& options) {
    return read_pt2(path, options.limits, options.model_name, options.metadata)
        .with_context(concat("'", path, "'"));
  }

  template <class D>
  static Result<Model> make(ExportedArchive archive, KernelRegistry<Backend> kernels, S& scheduler,
                            std::unique_ptr<S> own, ModelOptions<Backend, D> options) {
    Backend backend;
    TREADLE_CHECK(place_archive(archive, options.placement));
    TREADLE_CHECK(check_devices(backend, archive));
    TREADLE_TRY(auto weights, Weights<Backend>::make(backend, weight_sources(archive)));
    TREADLE_TRY(auto host, prepare_program(archive, kernels, options));
    TREADLE_TRY(auto folder, ConstantFolder<Backend>::make(archive.module, weights, kernels,
                                                           options.ops, backend, options.fold));
    if (folder) TREADLE_CHECK(folder->fold(weights));
    TREADLE_TRY(auto executable,
                Executable<Backend>::make(std::move(archive.module), std::move(weights), kernels,
                                          std::move(options.ops), backend, std::move(host)));
    TREADLE_TRY(auto state, executable->make_state());
    return Model(std::make_unique<Impl>(std::move(executable), scheduler, std::move(own),
                                        std::move(state), options.executor, std::move(folder)));
  }

  /// The program as it is bound, with the host's parts of it.
  template <class D>
  static Result<HostParts<Backend>> prepare_program(ExportedArchive& archive,
                                                    KernelRegistry<Backend>& kernels,
                                                    ModelOptions<Backend, D>& options) {
    // Kernels bring the schemas of custom operators.
    for (const auto& [name, entry] : kernels) options.ops.add_schema(entry.schema);
    TREADLE_CHECK(D::dissolve_wrappers(archive.module, options.ops));
    static_cast<void>(settle_mutations(archive.module, options.ops));
    HostParts<Backend> host;
    TREADLE_TRY(host.delegates, bind_delegates(archive.module, options.delegates,
                                               delegate_files(archive), kernels));
    TREADLE_CHECK(claim_nodes(archive.module.graph, options.handlers, kernels, options.ops));
    TREADLE_CHECK(decompose(archive.module.graph, options.ops,
                            [&](std::string_view target) { return kernels.contains(target); }));
    host.classes = std::move(options.classes);
    host.objects = object_sources(archive);
    return host;
  }

  std::unique_lock<std::mutex> lock_state() {
    if (impl_->executor.bound().stateless()) return {};
    return std::unique_lock(impl_->state_mutex);
  }

  std::unique_ptr<Impl> impl_;
};

// Defined outside the class, so that `stock_instances.hpp` can leave them to the compiled library.

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Model<Backend, S, T>::Impl::~Impl() = default;

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Model<Backend, S, T>> Model<Backend, S, T>::load(const std::string& path, Options options)
  requires SerialScheduler<S>
{
  return load(path, DefaultKernels<Backend>::make(), std::move(options));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Model<Backend, S, T>> Model<Backend, S, T>::load(const std::string& path,
                                                        KernelRegistry<Backend> kernels,
                                                        Options options)
  requires SerialScheduler<S>
{
  return load<StandardDialect>(path, std::move(kernels), std::move(options));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Model<Backend, S, T>> Model<Backend, S, T>::load(const std::string& path, S& scheduler,
                                                        Options options) {
  return load(path, scheduler, DefaultKernels<Backend>::make(), std::move(options));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Model<Backend, S, T>> Model<Backend, S, T>::load(const std::string& path, S& scheduler,
                                                        KernelRegistry<Backend> kernels,
                                                        Options options) {
  return load<StandardDialect>(path, scheduler, std::move(kernels), std::move(options));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Model<Backend, S, T>> Model<Backend, S, T>::from(ExportedArchive archive, S& scheduler,
                                                        KernelRegistry<Backend> kernels,
                                                        Options options) {
  return make(std::move(archive), std::move(kernels), scheduler, nullptr, std::move(options));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::vector<Value<Backend>>> Model<Backend, S, T>::run(
    std::span<const Value<Backend>> inputs, const RunOptions& options) {
  const std::unique_lock lock = lock_state();
  return impl_->executor.run(inputs, impl_->state, options);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::vector<Value<Backend>>> Model<Backend, S, T>::try_run(
    std::span<const Value<Backend>> inputs) {
  std::unique_lock<std::mutex> lock;
  if (!impl_->executor.bound().stateless()) {
    lock = std::unique_lock(impl_->state_mutex, std::try_to_lock);
    if (!lock.owns_lock())
      return Error(ErrorCode::busy, "a run is going on, and the program remembers something");
  }
  return impl_->executor.try_run(inputs, impl_->state);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::vector<Value<Backend>>> Model<Backend, S, T>::run(
    std::initializer_list<Value<Backend>> positional, std::vector<NamedValue<Backend>> keywords) {
  TREADLE_TRY(const auto inputs,
              match_keywords<Backend>(impl_->executor.bound().module().signature,
                                      std::vector<Value<Backend>>(positional), keywords));
  return run(inputs);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<ValueTree<Backend>> Model<Backend, S, T>::run_tree(
    const std::vector<ValueTree<Backend>>& positional,
    const std::vector<std::pair<std::string, ValueTree<Backend>>>& keywords) {
  const Signature& signature = impl_->executor.bound().module().signature;
  TREADLE_TRY(const auto inputs, flatten_call(signature.in_spec, signature.argument_names,
                                              std::move(positional), std::move(keywords)));
  TREADLE_TRY(auto outputs, run(inputs));
  return unflatten<Backend>(signature.out_spec, std::move(outputs));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Status Model<Backend, S, T>::reset_state() {
  const std::lock_guard lock(impl_->state_mutex);
  TREADLE_TRY(impl_->state, impl_->executor.make_state());
  return {};
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::uint64_t> Model<Backend, S, T>::swap_weights(const std::string& path,
                                                         const WeightSwapOptions& options,
                                                         const LoadLimits& limits,
                                                         const std::string& model_name) {
  TREADLE_TRY(
      const auto archive,
      read_pt2(path, limits, model_name, NodeMetadata::drop).with_context(concat("'", path, "'")));
  return impl_->executor.swap_weights(weight_sources(archive), options);
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<std::uint64_t> Model<Backend, S, T>::update_weights(
    const std::vector<std::pair<std::string, typename Backend::Tensor>>& tensors) {
  Backend own = backend();
  std::vector<WeightSource> sources;
  for (const auto& [name, tensor] : tensors) {
    TREADLE_TRY(auto source, weight_source(own, name, tensor));
    sources.push_back(std::move(source));
  }
  return impl_->executor.update_weights(std::move(sources));
}

template <TensorBackend Backend, AnyScheduler S, Tracer T>
Result<Session<Backend, S, T>> Model<Backend, S, T>::session(std::span<const Value<Backend>> inputs,
                                                             SessionOptions options) {
  return Session<Backend, S, T>::make(impl_->executor, inputs, options);
}

}  // namespace treadle::inline v0
