// Delegates and custom objects in graphs built in code: numbers, lists, unknown sizes, subgraphs.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exec/bind_delegates.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/symbolic/parse.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/schedulers.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using Tensor = treadle::cpu::Tensor;
using treadle::Argument;
using treadle::Constant;
using treadle::GraphModule;
using treadle::ValueId;
using treadle::ValueKind;

ValueId add_value(GraphModule& module, std::string name, ValueKind kind, bool input,
                  const char* size = nullptr) {
  treadle::GraphValue value;
  value.name = name;
  value.kind = kind;
  if (kind == ValueKind::tensor)
    value.tensor = treadle::make_type(treadle::DType::float32,
                                      {size ? treadle::SymInt(*treadle::parse_expr(size)) : 4});
  if (kind == ValueKind::custom_object) value.class_name = "__torch__.torch.classes.studio.Counter";
  if (!input) return module.graph.add_value(std::move(value));
  treadle::InputSpec spec;
  spec.name = std::move(name);
  module.signature.inputs.push_back(std::move(spec));
  return module.graph.add_input(std::move(value));
}

void add_node(GraphModule& module, std::string target, std::vector<Argument> arguments,
              std::vector<ValueId> outputs) {
  treadle::Node node;
  node.name = module.graph.unique_name("node");
  node.target = std::move(target);
  for (auto& argument : arguments) node.arguments.push_back({"", std::move(argument), false});
  node.outputs.assign(outputs.begin(), outputs.end());
  node.result_lengths.resize(outputs.size(), treadle::Node::single);
  module.graph.add_node(std::move(node));
}

void set_outputs(GraphModule& module, std::vector<ValueId> outputs) {
  module.signature.outputs.resize(outputs.size());
  module.graph.set_outputs(std::vector<Argument>(outputs.begin(), outputs.end()));
}

treadle::Result<std::shared_ptr<const treadle::Executable<Cpu>>> bind(
    GraphModule module, treadle::HostParts<Cpu> host,
    treadle::KernelRegistry<Cpu> kernels = test::elementwise_kernels<Cpu>()) {
  Cpu backend;
  auto weights = treadle::Weights<Cpu>::make(backend, {});
  REQUIRE(weights);
  return treadle::Executable<Cpu>::make(std::move(module), *std::move(weights), kernels,
                                        treadle::standard_ops(), backend, std::move(host));
}

/// Adds the numbers among its operands to its tensor, and gives how many operands there were.
class AddNumbers : public treadle::Delegate<Cpu> {
 public:
  treadle::Status run(treadle::RunContext<Cpu>& context, const void*,
                      std::span<const Tensor* const> operands,
                      std::span<Tensor* const> results) override {
    if (operands[1]) return context.fail("operand 1 is not None");
    const auto sum =
        operands[2]->elements<std::int64_t>()[0] + operands[3]->elements<std::int64_t>()[0];
    if (results[0]->is_empty()) TREADLE_CHECK(context.allocate(*results[0], operands[0]->meta()));
    for (std::size_t i = 0; i < results[0]->elements<float>().size(); ++i)
      results[0]->elements<float>()[i] =
          operands[0]->elements<float>()[i] + static_cast<float>(sum);
    results[1]->elements<std::int64_t>()[0] = static_cast<std::int64_t>(operands.size());
    return {};
  }
};

/// Runs a program of one delegate, whose first result has `size` elements.
template <class S>
void check_numbers(const char* size) {
  GraphModule module;
  const auto x = add_value(module, "x", ValueKind::tensor, true);
  const auto n = add_value(module, "n", ValueKind::sym_int, true);
  const auto out = add_value(module, "out", ValueKind::tensor, false, size);
  const auto count = add_value(module, "count", ValueKind::sym_int, false);
  add_node(module, "higher_order::executorch_call_delegate",
           {Constant(std::string("part")),
            Argument(Argument::List{x, Constant(treadle::None{}), n, Constant(std::int64_t{10})})},
           {out, count});
  set_outputs(module, {out, count});
  auto kernels = test::elementwise_kernels<Cpu>();
  treadle::Delegates<Cpu> delegates;
  delegates.add("part",
                [](const treadle::DelegateInfo& info)
                    -> treadle::Result<std::unique_ptr<treadle::Delegate<Cpu>>> {
                  CHECK(info.operands.size() == 4);
                  CHECK(info.operands[0] != nullptr);
                  CHECK(info.operands[2] == nullptr);
                  return std::unique_ptr<treadle::Delegate<Cpu>>(std::make_unique<AddNumbers>());
                });
  treadle::HostParts<Cpu> host;
  auto made = treadle::bind_delegates(module, delegates, {}, kernels);
  if (!made) FAIL(made.error().message());
  host.delegates = *std::move(made);
  auto executable = bind(std::move(module), std::move(host), kernels);
  if (!executable) FAIL(executable.error().message());
  S scheduler;
  treadle::Executor<Cpu, S> executor(*executable, scheduler);
  treadle::State<Cpu> state;
  for (const std::int64_t number : {1, 5}) {
    const test::Values<Cpu> inputs = {test::vector_of<Cpu>({1, 2, 3, 4}), number};
    auto outputs = executor.run(inputs, state);
    if (!outputs) FAIL(outputs.error().message());
    const auto more = static_cast<float>(number + 10);
    CHECK(test::elements_of((*outputs)[0]) ==
          std::vector<float>{1 + more, 2 + more, 3 + more, 4 + more});
    CHECK(*(*outputs)[1].integer() == 4);
  }
}

/// A host's object: it counts.
struct Counter {
  std::int64_t count = 0;
};

treadle::CustomClasses<Cpu> counter_methods() {
  treadle::CustomClasses<Cpu> classes;
  classes.add("studio::Counter", "add_all",
              [](Counter& counter, treadle::MethodCall<Cpu>& call) -> treadle::Status {
                for (const auto& item : call.list(0)) {
                  TREADLE_TRY(const auto n, item.integer());
                  counter.count += n;
                }
                call.give(counter.count);
                call.give(call.argument(1));
                return {};
              });
  classes.add_operator("studio::scaled", [](Counter& counter, const Tensor& x) {
    Cpu backend;
    Tensor to = *treadle::clone_tensor(backend, x);
    for (auto& e : to.elements<float>()) e *= static_cast<float>(counter.count);
    return to;
  });
  return classes;
}

}  // namespace

TEST_CASE_TEMPLATE("a delegate takes and gives numbers, with sizes known or not", S,
                   treadle::Serial, treadle::ThreadPool) {
  check_numbers<S>(nullptr);
  check_numbers<S>("u0");
}

TEST_CASE_TEMPLATE("methods take lists and give numbers and objects; operators take objects", S,
                   treadle::Serial, treadle::ThreadPool, test::SteppingScheduler) {
  GraphModule module;
  const auto x = add_value(module, "x", ValueKind::tensor, true);
  const auto n = add_value(module, "n", ValueKind::sym_int, true);
  const auto counter = add_value(module, "counter", ValueKind::custom_object, true);
  const auto total = add_value(module, "total", ValueKind::sym_int, false);
  const auto same = add_value(module, "same", ValueKind::custom_object, false);
  const auto out = add_value(module, "out", ValueKind::tensor, false, "u0");
  add_node(module, "higher_order::call_torchbind",
           {counter, Constant(std::string("add_all")),
            Argument(Argument::List{n, Constant(std::int64_t{2})}), counter},
           {total, same});
  add_node(module, "studio::scaled", {same, x}, {out});
  set_outputs(module, {out, total, same});
  treadle::HostParts<Cpu> host;
  host.classes = counter_methods();
  auto executable = bind(std::move(module), std::move(host));
  if (!executable) FAIL(executable.error().message());
  S scheduler;
  treadle::Executor<Cpu, S> executor(*executable, scheduler);
  treadle::State<Cpu> state;
  const auto object = std::make_shared<Counter>();
  const test::Values<Cpu> inputs = {test::vector_of<Cpu>({1, 2, 3, 4}), 3,
                                    treadle::CustomObject{"studio::Counter", object}};
  for (const std::int64_t wanted : {5, 10}) {
    auto outputs = executor.run(inputs, state);
    if (!outputs) FAIL(outputs.error().message());
    CHECK(*(*outputs)[1].integer() == wanted);
    const auto factor = static_cast<float>(wanted);
    CHECK(test::elements_of((*outputs)[0]) ==
          std::vector<float>{factor, 2 * factor, 3 * factor, 4 * factor});
    CHECK((*outputs)[2].object()->object == object);
  }
}

TEST_CASE("an object that goes into a subgraph is refused with the node") {
  GraphModule module;
  const auto x = add_value(module, "x", ValueKind::tensor, true);
  const auto counter = add_value(module, "counter", ValueKind::custom_object, true);
  GraphModule inner;
  const auto a = add_value(inner, "a", ValueKind::tensor, true);
  add_value(inner, "b", ValueKind::custom_object, true);
  set_outputs(inner, {a});
  const auto body = std::make_shared<treadle::GraphBody>(std::move(inner.graph));
  const auto out = add_value(module, "out", ValueKind::tensor, false);
  add_node(module, "higher_order::cond",
           {x, Argument(treadle::Subgraph{"yes", body}), Argument(treadle::Subgraph{"no", body}),
            Argument(Argument::List{x, counter})},
           {out});
  set_outputs(module, {out});
  const auto executable = bind(std::move(module), {});
  REQUIRE(!executable);
  CHECK(executable.error().message().find("higher_order::cond: a subgraph takes a custom object") !=
        std::string::npos);
}
