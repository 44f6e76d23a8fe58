// Programs with custom objects that PyTorch exported, run with a host's class.
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/exported/write.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/treadle.hpp>

#include "support/archives.hpp"
#include "support/engine.hpp"
#include "support/queue_class.hpp"
#include "support/schedulers.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using Value = treadle::Value<Cpu>;

std::string golden(const std::string& name) {
  return std::string(TREADLE_GOLDEN_DIR "/objects/") + name;
}

std::vector<float> array(const std::string& program, const std::string& wanted) {
  const auto arrays = treadle::read_npz(golden(program + ".npz"));
  REQUIRE(arrays);
  for (const auto& [name, found] : *arrays) {
    if (name != wanted) continue;
    std::vector<float> elements(found.data.size() / sizeof(float));
    std::memcpy(elements.data(), found.data.data(), found.data.size());
    return elements;
  }
  FAIL("no array " << wanted);
  return {};
}

template <class S>
treadle::Result<treadle::Model<Cpu, S>> load(const std::string& program, S& scheduler) {
  return treadle::Model<Cpu, S>::load(golden(program + ".pt2"), scheduler,
                                      {.classes = test::queue_class()});
}

template <class Model>
void check_two_calls(Model& model, const std::string& program, std::size_t outputs) {
  const Value x = test::vector_of<Cpu>(array(program, "in0"));
  for (const char* suffix : {"", "_2"}) {
    auto results = model.run({x});
    if (!results) FAIL(results.error().message());
    REQUIRE(results->size() == outputs);
    for (std::size_t i = 0; i < outputs; ++i)
      CHECK(test::elements_of((*results)[i]) == array(program, treadle::concat("out", i, suffix)));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("objects of a file keep what a call leaves, on every scheduler", S,
                   treadle::Serial, treadle::Inline, treadle::ThreadPool, test::SteppingScheduler) {
  S scheduler;
  auto model = load("queued", scheduler);
  if (!model) FAIL(model.error().message());
  check_two_calls(*model, "queued", 2);
}

TEST_CASE("calls on objects keep their order in twenty task orders") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    test::SteppingScheduler scheduler(test::SteppingScheduler::Order::seeded, seed);
    auto model = load("queued", scheduler);
    REQUIRE(model);
    check_two_calls(*model, "queued", 2);
  }
}

TEST_CASE("calls that effect tokens order give PyTorch's results") {
  treadle::Serial scheduler;
  auto model = load("effects", scheduler);
  if (!model) FAIL(model.error().message());
  check_two_calls(*model, "effects", 1);
}

TEST_CASE("sessions have objects of their own") {
  treadle::Serial scheduler;
  auto model = load("queued", scheduler);
  REQUIRE(model);
  const Value x = test::vector_of<Cpu>(array("queued", "in0"));
  auto first = model->session({x});
  auto second = model->session({x});
  if (!first) FAIL(first.error().message());
  REQUIRE(second);
  REQUIRE(first->run());
  REQUIRE(first->run());
  CHECK(test::elements_of<Cpu>(first->output(0)) == array("queued", "out0_2"));
  REQUIRE(second->run());
  CHECK(test::elements_of<Cpu>(second->output(0)) == array("queued", "out0"));
  REQUIRE(first->reset());
  REQUIRE(first->run());
  CHECK(test::elements_of<Cpu>(first->output(0)) == array("queued", "out0"));
}

TEST_CASE("a copy of a state goes on with copies of its objects") {
  treadle::Serial scheduler;
  auto model = load("queued", scheduler);
  REQUIRE(model);
  const Value x = test::vector_of<Cpu>(array("queued", "in0"));
  REQUIRE(model->run({x}));
  Cpu backend;
  auto copy = model->state().copy(backend, model->executable()->weights());
  if (!copy) FAIL(copy.error().message());
  const std::vector<Value> inputs = {x};
  for (int round = 0; round < 2; ++round) {
    auto outputs = round == 0 ? model->executor().run(inputs, *copy) : model->run(inputs);
    REQUIRE(outputs);
    CHECK(test::elements_of((*outputs)[0]) == array("queued", "out0_2"));
  }
}

TEST_CASE("an object that the host gives is the one that is changed") {
  auto model = treadle::Model<>::load(golden("given.pt2"), {.classes = test::queue_methods()});
  if (!model) FAIL(model.error().message());
  const auto queue = std::make_shared<test::Queue>(2.0);
  const Value object = treadle::CustomObject{"studio::Queue", queue};
  const Value x = test::vector_of<Cpu>(array("given", "in0"));
  for (const char* suffix : {"", "_2"}) {
    auto outputs = model->run({x, object});
    if (!outputs) FAIL(outputs.error().message());
    CHECK(test::elements_of((*outputs)[0]) == array("given", treadle::concat("out0", suffix)));
  }
  CHECK(queue->items.size() == 2);
}

TEST_CASE("an object of another class, or none, is refused") {
  auto model = treadle::Model<>::load(golden("given.pt2"), {.classes = test::queue_methods()});
  REQUIRE(model);
  const Value x = test::vector_of<Cpu>(array("given", "in0"));
  const struct {
    Value given;
    std::string found;
  } cases[] = {{1, "an integer"},
               {treadle::CustomObject{"studio::Reverb", std::make_shared<int>(1)},
                "one of 'studio::Reverb'"}};
  for (const auto& c : cases) {
    const auto outputs = model->run({x, c.given});
    REQUIRE(!outputs);
    CHECK(outputs.error().message() ==
          "input 'queue': expected an object of class 'studio::Queue', found " + c.found);
  }
}

TEST_CASE("a class and methods that the host does not have are all listed") {
  treadle::CustomClasses<Cpu> some;
  some.add("studio::Queue", "push", &test::Queue::push);
  const auto model = treadle::Model<>::load(golden("queued.pt2"), {.classes = some});
  REQUIRE(!model);
  const std::string& message = model.error().message();
  CAPTURE(message);
  CHECK(model.error().code() == treadle::ErrorCode::missing_kernel);
  for (const char* part :
       {"5 nodes can't be run", "node 'call_torchbind_1' higher_order::call_torchbind",
        "it calls 'split' of class 'studio::Queue', which the host does not have", "it calls 'mix'",
        "it calls 'pop'",
        "the custom object 'queue' of class 'studio::Queue' needs its host's class"})
    CHECK_MESSAGE(message.find(part) != std::string::npos, part);
  CHECK(message.find("'push'") == std::string::npos);
}

TEST_CASE("an error of a method names the node and the object's own words") {
  auto classes = test::queue_class();
  classes.add("studio::Queue", "push", [](test::Queue&, const treadle::cpu::Tensor&) {});
  auto model = treadle::Model<>::load(golden("queued.pt2"), {.classes = classes});
  REQUIRE(model);
  const auto outputs = model->run({test::vector_of<Cpu>(array("queued", "in0"))});
  REQUIRE(!outputs);
  CHECK(outputs.error().message().find("call_torchbind") != std::string::npos);
  CHECK(outputs.error().message().find("it is empty") != std::string::npos);
}

TEST_CASE("arguments that do not fit a method are refused with their number") {
  auto classes = test::queue_class();
  classes.add("studio::Queue", "push", [](test::Queue&, std::int64_t) {});
  auto model = treadle::Model<>::load(golden("queued.pt2"), {.classes = classes});
  REQUIRE(model);
  const auto outputs = model->run({test::vector_of<Cpu>(array("queued", "in0"))});
  REQUIRE(!outputs);
  CHECK(outputs.error().message().find("argument 0: expected an integer, found a tensor") !=
        std::string::npos);
}

TEST_CASE("objects survive saving and loading") {
  auto archive = treadle::read_pt2(golden("queued.pt2"));
  REQUIRE(archive);
  treadle::ArchiveContents contents;
  contents.weights = archive->weights;
  contents.custom_objects = archive->custom_objects;
  auto bytes = treadle::write_pt2(archive->module, contents);
  if (!bytes) FAIL(bytes.error().message());
  treadle::Serial scheduler;
  auto model = treadle::Model<>::from(test::archive_of(*std::move(bytes)), scheduler,
                                      treadle::cpu::kernels(), {.classes = test::queue_class()});
  if (!model) FAIL(model.error().message());
  check_two_calls(*model, "queued", 2);
}
