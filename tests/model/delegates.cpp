// Lowered parts of programs, run by a host's delegates on another backend.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exported/write.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/treadle.hpp>

#include "exported/pt2.hpp"
#include "support/archives.hpp"
#include "support/backends.hpp"
#include "support/engine.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using Tensor = treadle::cpu::Tensor;
using Other = test::MinimalBackend;

/// Runs a graph on another backend in another executor; elements go through host memory.
class OtherBackend : public treadle::Delegate<Cpu> {
 public:
  explicit OtherBackend(treadle::GraphModule module)
      : executor_(test::bind<Other>(std::move(module)), serial_) {}

  treadle::Result<std::shared_ptr<const void>> process_weights(
      const treadle::Weights<Cpu>& weights) override {
    prepared = weights.entries().size();
    return std::shared_ptr<const void>();
  }
  void commit_weights() noexcept override { committed = prepared; }

  treadle::Status run(treadle::RunContext<Cpu>& context, const void*,
                      std::span<const Tensor* const> operands,
                      std::span<Tensor* const> results) override {
    std::vector<treadle::Value<Other>> inputs;
    for (const Tensor* operand : operands) {
      TREADLE_TRY(auto there, other_.empty(operand->meta()));
      TREADLE_CHECK(context.backend().copy_to_host(*operand, *there.bytes));
      inputs.emplace_back(std::move(there));
    }
    treadle::State<Other> state;
    TREADLE_TRY(const auto outputs, executor_.run(inputs, state));
    for (std::size_t i = 0; i < results.size(); ++i) {
      TREADLE_TRY(const auto tensor, outputs[i].tensor());
      TREADLE_CHECK(context.backend().copy_from_host(*results[i], *tensor.bytes));
    }
    return {};
  }

  std::size_t prepared = 0, committed = 0;

 private:
  Other other_;
  treadle::Serial serial_;
  treadle::Executor<Other, treadle::Serial> executor_;
};

/// Gives the first element of the program's weight as it was for this run. `during` is called in
/// the middle of a run.
class FirstElement : public treadle::Delegate<Cpu> {
 public:
  explicit FirstElement(std::function<void()>& during) : during_(during) {}

  treadle::Result<std::shared_ptr<const void>> process_weights(
      const treadle::Weights<Cpu>& weights) override {
    const auto first = weights.entries()[0].tensor.data<float>()[0];
    return std::shared_ptr<const void>(std::make_shared<const float>(first));
  }
  treadle::Status run(treadle::RunContext<Cpu>&, const void* weights,
                      std::span<const Tensor* const>, std::span<Tensor* const> results) override {
    if (during_) during_();
    results[0]->data<float>()[0] = *static_cast<const float*>(weights);
    return {};
  }

 private:
  std::function<void()>& during_;
};

/// The small program, whose relu is a lowered part: the node's inputs instead of `self`.
std::string lowered(const std::string& target, const std::string& inputs) {
  auto program = test::replaced(test::small_program, "torch.ops.aten.relu.default",
                                "torch.ops.higher_order." + target);
  return test::replaced(
      program, R"([{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}])", inputs);
}
const std::string by_name =
    R"([{"name": "", "arg": {"as_string": "part-Vec"}, "kind": 1},
        {"name": "", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}])";
const std::string by_path =
    R"([{"name": "", "arg": {"as_string": "part"}, "kind": 1},
        {"name": "", "arg": {"as_none": true}, "kind": 1},
        {"name": "", "arg": {"as_tensors": [{"name": "p_w"}]}, "kind": 1},
        {"name": "", "arg": {"as_tensors": [{"name": "sum"}]}, "kind": 1}])";

/// y = sum * 3 as the part's graph.
const std::string with_graph = treadle::concat(
    R"([{"name": "", "arg": {"as_graph": {"name": "part", "graph": {
       "inputs": [{"as_tensor": {"name": "a"}}], "outputs": [{"as_tensor": {"name": "b"}}],
       "nodes": [{"target": "torch.ops.aten.mul.Tensor",
         "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "a"}}, "kind": 1},
                    {"name": "other", "arg": {"as_tensor": {"name": "a"}}, "kind": 1}],
         "outputs": [{"as_tensor": {"name": "b"}}], "metadata": {}, "name": "b"}],
       "tensor_values": {)",
    R"("a": META, "b": META},
       "sym_int_values": {}, "sym_bool_values": {}, "custom_obj_values": {},
       "is_single_tensor_return": false}}}, "kind": 1},
      {"name": "", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}])");
const std::string meta =
    R"({"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false,
        "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
        "storage_offset": {"as_int": 0}, "layout": 7})";

/// A program of one input and one output around a graph.
treadle::GraphModule module_of(treadle::GraphBody graph) {
  treadle::GraphModule module;
  for (const auto v : graph.inputs()) {
    treadle::InputSpec spec;
    spec.name = graph.value(v).name;
    module.signature.inputs.push_back(spec);
  }
  module.signature.outputs.resize(graph.outputs().size());
  module.graph = std::move(graph);
  return module;
}

/// What the factory saw, for the tests to look at.
struct Seen {
  std::string target, name, weight;
  std::vector<std::string> files;
  bool body = false;
  std::size_t operands = 0, results = 0;
  OtherBackend* made = nullptr;
};

/// A delegate that runs the part's graph, or the program in its payload.
treadle::Delegates<Cpu>::Make factory(Seen& seen) {
  return [&seen](const treadle::DelegateInfo& info)
             -> treadle::Result<std::unique_ptr<treadle::Delegate<Cpu>>> {
    seen.target = info.target;
    seen.name = info.name;
    for (const auto& file : info.files) seen.files.push_back(file.name);
    seen.body = info.body != nullptr;
    seen.operands = info.operands.size();
    seen.results = info.results.size();
    treadle::GraphModule module;
    if (info.body) {
      module = module_of(info.body->clone());
    } else if (!info.files.empty()) {
      TREADLE_TRY(auto inner,
                  treadle::read_pt2(treadle::Bytes(info.files[0].owner, info.files[0].bytes)));
      module = std::move(inner.module);
    } else {
      return treadle::Error(treadle::ErrorCode::not_found, "the part has no payload");
    }
    auto made = std::make_unique<OtherBackend>(std::move(module));
    seen.made = made.get();
    return std::unique_ptr<treadle::Delegate<Cpu>>(std::move(made));
  };
}

/// A payload: a program that squares its input.
std::string payload() {
  auto text =
      test::replaced(test::small_program, "torch.ops.aten.add.Tensor", "torch.ops.aten.mul.Tensor");
  text = test::replaced(text, R"("other", "arg": {"as_tensor": {"name": "p_w"}})",
                        R"("other", "arg": {"as_tensor": {"name": "x"}})");
  text = test::replaced(text, R"({"as_tensor": {"name": "p_w"}}, )", "");
  text = test::replaced(text, R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},)",
                        "");
  text = test::replaced(text, "torch.ops.aten.relu.default", "torch.ops.aten.mul.Tensor");
  text = test::replaced(text,
                        R"([{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}])",
                        R"([{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1},
                            {"name": "other", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}])");
  auto zip = treadle::ZipWriter::to_memory();
  for (const auto& [name, record] : test::today(text, R"({"config": {}})"))
    REQUIRE(zip.add(name, std::string_view(record)));
  REQUIRE(zip.finish());
  const auto bytes = std::move(zip).take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

treadle::ExportedArchive archive(const std::string& program, test::Records more = {}) {
  auto records = test::today(program);
  records[1].second = std::string(24, '\0');  // the weight is zeros, so sum = x
  records.insert(records.end(), more.begin(), more.end());
  auto read = treadle::read_pt2(test::zip(records));
  if (!read) FAIL(read.error().message());
  return *std::move(read);
}

treadle::Value<Cpu> matrix() { return *Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {2, 3}); }
const std::vector<float> squares = {1, 4, 9, 16, 25, 36};
const std::vector<float> cubes = {1, 8, 27, 64, 125, 216};

template <class S>
treadle::Result<treadle::Model<Cpu, S>> load(treadle::ExportedArchive file, S& scheduler,
                                             treadle::Delegates<Cpu> delegates) {
  return treadle::Model<Cpu, S>::from(std::move(file), scheduler, treadle::cpu::kernels(),
                                      {.delegates = std::move(delegates)});
}

}  // namespace

TEST_CASE_TEMPLATE("a delegate runs its graph on another backend", S, treadle::Serial,
                   treadle::ThreadPool) {
  S scheduler;
  Seen seen;
  auto model =
      load(archive(lowered("executorch_call_delegate", test::with_all(with_graph, "META", meta))),
           scheduler, treadle::Delegates<Cpu>().add("part", factory(seen)));
  if (!model) FAIL(model.error().message());
  CHECK(seen.body);
  for (int round = 0; round < 2; ++round) {
    auto outputs = model->run({matrix()});
    if (!outputs) FAIL(outputs.error().message());
    CHECK(test::elements_of((*outputs)[0]) == squares);
  }
}

TEST_CASE("a delegate is made from the payload that is named after its part") {
  treadle::Serial scheduler;
  Seen seen;
  auto file = archive(lowered("executorch_call_delegate", by_name),
                      {{"m/data/executorch/part-Vec", payload()},
                       {"m/data/executorch/part-Vector", "another part's"}});
  auto model =
      load(std::move(file), scheduler, treadle::Delegates<Cpu>().add("Vec", factory(seen)));
  if (!model) FAIL(model.error().message());
  CHECK(seen.target == "higher_order::executorch_call_delegate");
  CHECK(seen.name == "part-Vec");
  CHECK(seen.files == std::vector<std::string>{"executorch/part-Vec"});
  CHECK(!seen.body);
  CHECK(seen.operands == 1);
  CHECK(seen.results == 1);
  REQUIRE(seen.made);
  CHECK(seen.made->committed == 1);
  auto outputs = model->run({matrix()});
  if (!outputs) FAIL(outputs.error().message());
  CHECK(test::elements_of((*outputs)[0]) == cubes);
}

TEST_CASE("compiled code in a file is only opened by a delegate of the host") {
  treadle::Serial scheduler;
  const auto make = [] {
    return archive(lowered("aoti_call_delegate", by_path),
                   {{"m/data/aotinductor/part/code.so", payload()}});
  };
  const auto refused = load(make(), scheduler, {});
  REQUIRE(!refused);
  CHECK(refused.error().code() == treadle::ErrorCode::missing_kernel);
  CHECK(refused.error().message().find(
            "node 'y' higher_order::aoti_call_delegate: it runs a lowered part 'part', for which "
            "the host has no delegate; add one to ModelOptions::delegates") != std::string::npos);
  Seen seen;
  auto model =
      load(make(), scheduler, treadle::Delegates<Cpu>().add("aoti_call_delegate", factory(seen)));
  if (!model) FAIL(model.error().message());
  CHECK(seen.files == std::vector<std::string>{"aotinductor/part/code.so"});
  CHECK(seen.operands == 1);
  auto outputs = model->run({matrix()});
  REQUIRE(outputs);
  CHECK(test::elements_of((*outputs)[0]) == cubes);
}

TEST_CASE("a run goes on with what a delegate made of the weights it began with") {
  treadle::Serial scheduler;
  std::function<void()> during;
  treadle::Delegates<Cpu> delegates;
  delegates.add(
      "Vec",
      [&during](const treadle::DelegateInfo&)
          -> treadle::Result<std::unique_ptr<treadle::Delegate<Cpu>>> {
        return std::unique_ptr<treadle::Delegate<Cpu>>(std::make_unique<FirstElement>(during));
      });
  auto model = load(archive(lowered("executorch_call_delegate", by_name)), scheduler, delegates);
  if (!model) FAIL(model.error().message());
  const auto first = [&] {
    const auto outputs = model->run({matrix()});
    REQUIRE(outputs);
    return test::elements_of((*outputs)[0])[0];
  };
  CHECK(first() == 0);
  const std::vector<float> sevens(6, 7);
  during = [&] {
    treadle::WeightSource source;
    source.name = "w";
    source.meta = treadle::make_meta(treadle::DType::float32, {2, 3});
    source.bytes = std::as_bytes(std::span(sevens));
    REQUIRE(model->executor().swap_weights({source}));
    during = nullptr;
  };
  CHECK(first() == 0);
  CHECK(first() == 7);
}

TEST_CASE("a delegate that can't be made is an error that names its node") {
  treadle::Serial scheduler;
  Seen seen;
  const auto model = load(archive(lowered("executorch_call_delegate", by_name)), scheduler,
                          treadle::Delegates<Cpu>().add("part-Vec", factory(seen)));
  REQUIRE(!model);
  CHECK(model.error().message().find("1 node can't be delegated:\n  node 'y' ") == 0);
  CHECK(model.error().message().find("the part has no payload") != std::string::npos);
}

TEST_CASE("a node without a delegate is listed with all else that can't run") {
  treadle::Serial scheduler;
  auto program = test::replaced(lowered("executorch_call_delegate", by_name),
                                "torch.ops.aten.add.Tensor", "torch.ops.studio.mystery.default");
  const auto model = load(archive(program), scheduler, {});
  REQUIRE(!model);
  CHECK(model.error().message().find("2 nodes can't be run") == 0);
  CHECK(model.error().message().find("studio::mystery") != std::string::npos);
  CHECK(model.error().message().find("lowered part 'part-Vec'") != std::string::npos);
}

TEST_CASE("payloads survive saving and loading") {
  const auto first = archive(lowered("executorch_call_delegate", by_name),
                             {{"m/data/executorch/part-Vec", payload()}});
  treadle::ArchiveContents contents;
  contents.weights = first.weights;
  contents.delegate_files = first.delegate_files;
  auto bytes = treadle::write_pt2(first.module, contents);
  if (!bytes) FAIL(bytes.error().message());
  treadle::Serial scheduler;
  Seen seen;
  auto model = load(test::archive_of(*std::move(bytes)), scheduler,
                    treadle::Delegates<Cpu>().add("Vec", factory(seen)));
  if (!model) FAIL(model.error().message());
  auto outputs = model->run({matrix()});
  REQUIRE(outputs);
  CHECK(test::elements_of((*outputs)[0]) == cubes);
}

TEST_CASE("a package of compiled code without a program is refused by its kind") {
  const auto read = treadle::read_pt2(
      test::zip({{"m/archive_format", "pt2"}, {"m/data/aotinductor/model/code.so", "x"}}));
  REQUIRE(!read);
  CHECK(read.error().message().find("libraries that AOTInductor compiled") != std::string::npos);
}
