// A program bound to kernels: everything that depends neither on shapes nor on the weights' values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/class_name.hpp>
#include <treadle/analysis/source.hpp>
#include <treadle/analysis/specialize.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/host_parts.hpp>
#include <treadle/exec/resolve.hpp>
#include <treadle/exec/state.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/graph/mutated_input.hpp>
#include <treadle/kernel/prepared_share.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// Where a graph input comes from.
struct InputSource {
  enum class Kind : std::uint8_t { user, weight, constant, token, object } kind = Kind::user;
  std::size_t index = 0;  ///< among the user inputs, the weights or the objects
};

/// A mutation that the signature lists: after a run, `from` is copied to the graph input `to`.
struct WriteBack {
  ValueId from, to;
};

/// Immutable once made; refers to nothing outside itself, so plans may share it.
template <TensorBackend Backend>
class BoundModule {
 public:
  /// Binds a program whose wrappers are gone (see `pass/`). Every operator without a definition or
  /// kernel and every weight that is missing is reported, all in one error.
  [[nodiscard]] static Result<std::shared_ptr<const BoundModule>> make(
      GraphModule module, const Weights<Backend>& weights, const KernelRegistry<Backend>& kernels,
      OpSet ops, Backend backend, HostParts<Backend> host = {}) {
    auto made = std::shared_ptr<BoundModule>(
        new BoundModule(std::move(module), std::move(ops), std::move(backend), std::move(host)));
    TREADLE_CHECK(made->bind_operators(kernels));
    TREADLE_CHECK(made->bind_inputs(weights));
    made->list_write_backs();
    TREADLE_CHECK(made->find_changed_weights(weights));
    return std::shared_ptr<const BoundModule>(std::move(made));
  }

  [[nodiscard]] const GraphModule& module() const noexcept { return module_; }
  [[nodiscard]] const GraphBody& graph() const noexcept { return module_.graph; }
  [[nodiscard]] const BoundProgram& program() const noexcept { return program_; }
  [[nodiscard]] const ResolvedOp<Backend>& op(std::uint32_t index) const noexcept {
    return resolved_[index];
  }
  [[nodiscard]] const OpSet& ops() const noexcept { return ops_; }
  /// Aligned with the graph's inputs.
  [[nodiscard]] const std::vector<InputSource>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] std::size_t user_input_count() const noexcept { return user_inputs_.size(); }
  /// The graph input of a user input; invalid for constant inputs.
  [[nodiscard]] ValueId user_input(std::size_t i) const noexcept { return user_inputs_[i]; }
  /// Position among the graph's inputs of a user input.
  [[nodiscard]] std::size_t user_input_position(std::size_t i) const noexcept {
    return user_positions_[i];
  }
  [[nodiscard]] const std::vector<WriteBack>& write_backs() const noexcept { return write_backs_; }
  /// Weights that runs change, with those that share their storage.
  [[nodiscard]] const std::set<std::size_t>& changed_weights() const noexcept { return changed_; }
  [[nodiscard]] bool is_changed(std::size_t weight) const { return changed_.contains(weight); }
  [[nodiscard]] bool random() const noexcept { return random_; }
  /// Runs keep nothing in a `State`, so any number may go on at once.
  [[nodiscard]] bool stateless() const noexcept { return !binds_state() && !random_; }
  /// Runs use tensors or objects of a `State`.
  [[nodiscard]] bool binds_state() const noexcept { return !changed_.empty() || !objects_.empty(); }
  /// What a method site calls.
  [[nodiscard]] const typename CustomClasses<Backend>::Method& method(
      std::uint32_t index) const noexcept {
    return *methods_[index];
  }
  /// What kernels made from weights.
  [[nodiscard]] PreparedShare& share() const noexcept { return *share_; }
  /// Backends are cheap handles; this one is a copy.
  [[nodiscard]] Backend backend() const { return backend_; }

  /// Makes the file's custom objects for a new state.
  Status add_objects(State<Backend>& state) const {
    for (const auto& source : objects_) {
      auto object = host_.classes.make(source);
      if (!object)
        return std::move(object).error().with_context(concat("object '", source.name, "'"));
      state.add_object({source.class_name, *std::move(object)},
                       [classes = host_.classes, name = source.class_name](const void* from) {
                         return classes.copy(name, from);
                       });
    }
    return {};
  }

  /// What each delegate makes of weights. Stops at the first error.
  [[nodiscard]] Result<HostWeights> process_weights(const Weights<Backend>& weights) const {
    HostWeights made;
    for (const auto& delegate : host_.delegates) {
      auto part = delegate->process_weights(weights);
      if (!part) return std::move(part).error().with_context("a delegate's weights");
      made.push_back(*std::move(part));
    }
    return made;
  }
  void commit_weights() const noexcept {
    for (const auto& delegate : host_.delegates) delegate->commit_weights();
  }

 private:
  BoundModule(GraphModule module, OpSet ops, Backend backend, HostParts<Backend> host)
      : module_(std::move(module)),
        ops_(std::move(ops)),
        backend_(std::move(backend)),
        host_(std::move(host)) {}

  // --- operators ---------------------------------------------------------------------------------
  Status bind_operators(const KernelRegistry<Backend>& kernels) {
    for (const auto& [name, entry] : kernels) ops_.add_schema(entry.schema);
    std::vector<Error> problems;
    program_ = bind_calls(module_.graph, ops_, problems);
    for (const auto& op : program_.operators) {
      TREADLE_TRY(auto resolved, resolve(ops_, kernels, op.target));
      resolved_.push_back(std::move(resolved));
    }
    for (const auto& method : program_.methods)
      methods_.push_back(host_.classes.find(method.class_name, method.method));
    check_kernels(program_.root, problems);
    find_objects(problems);
    if (problems.empty()) return {};
    std::string text =
        concat(problems.size(), problems.size() == 1 ? " node" : " nodes", " can't be run:");
    for (const auto& problem : problems) text += concat("\n  ", problem.message());
    return Error(problems.front().code(), std::move(text));
  }

  /// True if the operator may turn out to be a view, which needs no kernel.
  static bool may_be_view(const OperatorInfo& op) {
    bool marked = op.definition->traits.may_alias;
    for (std::size_t i = 0; i < op.schema.result_count; ++i)
      marked |= op.schema.results[i].alias_set != 0 && !op.schema.results[i].writes;
    return marked && op.definition->infer != nullptr && ViewBackend<Backend>;
  }

  static std::string dtypes(const GraphBody& graph, const Node& node) {
    std::string text;
    for (const auto& argument : node.arguments)
      argument.value.for_each_value([&](ValueId v) {
        if (!v.valid() || !graph.value(v).tensor) return;
        text += concat(text.empty() ? "" : ", ", name(graph.value(v).tensor->dtype));
      });
    return text;
  }

  void check_kernels(const BoundGraph& graph, std::vector<Error>& problems) const {
    for (const NodeId id : graph.graph->nodes()) {
      const CallSite& site = graph.site(id);
      const Node& node = graph.graph->node(id);
      if (site.kind == SiteKind::method && !methods_[site.op])
        problems.push_back(no_method(node, program_.methods[site.op]));
      const auto inner = graph.subgraphs.find(id.index);
      if (inner != graph.subgraphs.end())
        for (const auto& body : inner->second) {
          if (takes_objects(*body.graph))
            problems.emplace_back(ErrorCode::unsupported_file,
                                  concat(describe(node), ": a subgraph takes a custom object"));
          check_kernels(body, problems);
        }
      if (site.kind != SiteKind::op || program_.operators.empty()) continue;
      const auto& op = program_.operators[site.op];
      if (op.target != node.target || resolved_[site.op].kernel || may_be_view(op)) continue;
      problems.emplace_back(ErrorCode::missing_kernel,
                            concat(describe(node), ": no kernel for (", dtypes(*graph.graph, node),
                                   "); register one for \"", op.definition->schema, '"'));
    }
  }

  // --- custom objects ----------------------------------------------------------------------------
  static Error no_method(const Node& node, const MethodInfo& method) {
    const bool op = method.class_name.empty();
    return {
        ErrorCode::missing_kernel,
        concat(describe(node), ": it calls ", op ? "an operator" : concat("'", method.method, "'"),
               op ? " on a custom object" : concat(" of class '", method.class_name, "'"),
               ", which the host does not have; add it to ModelOptions::classes")};
  }
  static bool takes_objects(const GraphBody& graph) {
    for (const ValueId v : graph.inputs())
      if (v.valid() && graph.value(v).kind == ValueKind::custom_object) return true;
    return false;
  }

  /// The file's objects that are graph inputs, in their order.
  void find_objects(std::vector<Error>& problems) {
    const auto& specs = module_.signature.inputs;
    for (std::size_t i = 0; i < specs.size() && i < module_.graph.inputs().size(); ++i) {
      if (specs[i].kind != InputKind::custom_object) continue;
      const ValueId v = module_.graph.inputs()[i];
      const auto* source = host_.find_object(specs[i].target);
      ObjectSource object = source ? *source : ObjectSource{specs[i].target, {}, {}, {}};
      if (v.valid()) object.class_name = class_name(module_.graph.value(v).class_name);
      const std::string who =
          concat("the custom object '", specs[i].target, "' of class '", object.class_name, "'");
      if (!source)
        problems.emplace_back(ErrorCode::not_found, concat("the file has no bytes for ", who));
      if (!host_.classes.has_class(object.class_name))
        problems.emplace_back(
            ErrorCode::missing_kernel,
            concat(who, " needs its host's class; add it to ModelOptions::classes"));
      objects_.push_back(std::move(object));
    }
  }

  // --- inputs ------------------------------------------------------------------------------------
  Status bind_inputs(const Weights<Backend>& weights) {
    const auto& specs = module_.signature.inputs;
    const auto& inputs = module_.graph.inputs();
    if (specs.size() != inputs.size())
      return Error(ErrorCode::invalid_graph, concat("the signature names ", specs.size(),
                                                    " inputs, the graph has ", inputs.size()));
    std::string missing;
    std::size_t objects = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      switch (specs[i].kind) {
        case InputKind::user_input:
        case InputKind::constant_input: {
          const bool constant = specs[i].kind == InputKind::constant_input;
          inputs_.push_back({constant ? InputSource::Kind::constant : InputSource::Kind::user,
                             user_inputs_.size()});
          user_inputs_.push_back(inputs[i]);
          user_positions_.push_back(i);
          break;
        }
        case InputKind::parameter:
        case InputKind::buffer:
        case InputKind::tensor_constant: {
          const auto at = weights.find(specs[i].target);
          if (at < 0) missing += concat(missing.empty() ? "" : ", ", "'", specs[i].target, "'");
          inputs_.push_back({InputSource::Kind::weight,
                             static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0))});
          break;
        }
        case InputKind::token: inputs_.push_back({InputSource::Kind::token, 0}); break;
        case InputKind::custom_object:
          inputs_.push_back({InputSource::Kind::object, objects++});
          break;
      }
    }
    if (!missing.empty())
      return Error(ErrorCode::not_found, concat("the file has no weights named ", missing));
    return {};
  }

  void list_write_backs() {
    for (std::size_t i = 0; i < module_.graph.outputs().size(); ++i) {
      const ValueId to = mutated_input(module_, i);
      const auto* from = module_.graph.outputs()[i].value();
      if (to.valid() && from && from->valid()) write_backs_.push_back({*from, to});
    }
  }

  static void describe_weight(const WeightSource& source, InputFacts& facts) {
    facts.meta = source.meta;
    facts.storage_bytes = source.bytes.size();
    facts.storage = source.storage;
  }

  // --- state -------------------------------------------------------------------------------------
  /// What in-place nodes reach, without knowing the user's shapes, and what the signature lists.
  Status find_changed_weights(const Weights<Backend>& weights) {
    std::vector<InputFacts> facts(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].kind == InputSource::Kind::weight)
        describe_weight(weights.entries()[inputs_[i].index].source, facts[i]);
    TREADLE_TRY(const auto known, specialize(program_, program_.root, facts, {}));
    random_ = known.random;
    std::vector<bool> written(module_.graph.value_capacity(), false);
    for (const auto& [node, values] : known.writes)
      for (const ValueId v : values)
        if (v.valid()) written[known.alias_class(v).index] = true;
    std::set<std::size_t> changed;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].kind == InputSource::Kind::weight &&
          written[known.alias_class(module_.graph.inputs()[i]).index])
        changed.insert(inputs_[i].index);
    for (const auto& output : module_.signature.outputs)
      if (output.kind == OutputKind::buffer_mutation ||
          output.kind == OutputKind::parameter_mutation)
        if (const auto at = weights.find(output.target); at >= 0)
          changed.insert(static_cast<std::size_t>(at));
    std::set<std::size_t> storages;
    for (const std::size_t i : changed) storages.insert(weights.entries()[i].source.storage);
    for (std::size_t i = 0; i < weights.entries().size(); ++i)
      if (storages.contains(weights.entries()[i].source.storage)) changed_.insert(i);
    return {};
  }

  GraphModule module_;
  OpSet ops_;
  Backend backend_;
  HostParts<Backend> host_;
  BoundProgram program_;
  std::vector<ResolvedOp<Backend>> resolved_;
  std::vector<const typename CustomClasses<Backend>::Method*> methods_;
  std::vector<ObjectSource> objects_;
  std::vector<InputSource> inputs_;
  std::vector<ValueId> user_inputs_;
  std::vector<std::size_t> user_positions_;
  std::vector<WriteBack> write_backs_;
  std::set<std::size_t> changed_;
  bool random_ = false;
  std::unique_ptr<PreparedShare> share_ = std::make_unique<PreparedShare>();
};

}  // namespace treadle::inline v0
