// Weights that change under a running program, and what is computed from them.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/exec/constant_folder.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/backends.hpp"
#include "support/engine.hpp"
#include "support/programs.hpp"

using Cpu = treadle::cpu::Backend;
using test::elements_of;
using test::vector_of;

namespace {

treadle::WeightSource weight(std::string name, std::vector<float> elements) {
  auto kept = std::make_shared<std::vector<float>>(std::move(elements));
  treadle::WeightSource source;
  source.name = std::move(name);
  source.meta =
      treadle::make_meta(treadle::DType::float32, {static_cast<std::int64_t>(kept->size())});
  source.bytes = std::as_bytes(std::span(*kept));
  source.owner = kept;
  return source;
}

std::vector<treadle::WeightSource> two(float a, float b) {
  auto sources =
      std::vector{weight("a", std::vector<float>(4, a)), weight("b", std::vector<float>(4, b))};
  sources[1].storage = 1;
  return sources;
}

/// (x · a) + (a · b): the second product depends on weights alone.
treadle::GraphModule scaled() {
  test::ProgramBuilder builder(4);
  const auto x = builder.input("x");
  const auto a = builder.buffer("a");
  const auto b = builder.buffer("b");
  const auto ab = builder.binary("aten::mul.Tensor", a, b);
  const auto xa = builder.binary("aten::mul.Tensor", x, a);
  return builder.finish({builder.binary("aten::add.Tensor", xa, ab)});
}

template <class Backend, class S>
struct Engine {
  explicit Engine(S& scheduler, bool fold = true, Backend backend = {}) {
    auto module = scaled();
    auto weights = treadle::Weights<Backend>::make(backend, two(2, 3));
    REQUIRE(weights);
    auto made = treadle::ConstantFolder<Backend>::make(
        module, *weights, test::elementwise_kernels<Backend>(), treadle::standard_ops(), backend,
        {.enabled = fold});
    REQUIRE(made);
    folder = *made;
    if (folder) REQUIRE(folder->fold(*weights));
    auto executable = treadle::Executable<Backend>::make(std::move(module), *std::move(weights),
                                                         test::elementwise_kernels<Backend>(),
                                                         treadle::standard_ops(), backend);
    if (!executable) FAIL(executable.error().message());
    executor.emplace(*executable, scheduler, treadle::NoTracer{}, treadle::ExecutorOptions{},
                     folder);
  }
  float run(float x) {
    treadle::State<Backend> state;
    const test::Values<Backend> inputs = {vector_of<Backend>(std::vector<float>(4, x))};
    auto outputs = executor->run(inputs, state);
    if (!outputs) FAIL(outputs.error().message());
    return elements_of((*outputs)[0])[0];
  }

  std::shared_ptr<const treadle::ConstantFolder<Backend>> folder;
  std::optional<treadle::Executor<Backend, S>> executor;
};

}  // namespace

TEST_CASE_TEMPLATE("what depends on weights alone is computed when they are loaded", Backend, Cpu,
                   test::MinimalBackend) {
  treadle::Serial scheduler;
  Engine<Backend, treadle::Serial> plain(scheduler, false), folded(scheduler);
  CHECK_FALSE(plain.folder);
  REQUIRE(folded.folder);
  CHECK(folded.folder->names().size() == 1);
  CHECK(folded.folder->unused() == std::vector<std::string>{"b"});
  CHECK(plain.executor->bound().graph().node_count() == 3);
  CHECK(folded.executor->bound().graph().node_count() == 2);
  CHECK(plain.run(5) == 16);
  CHECK(folded.run(5) == 16);
  const auto& entries = folded.executor->executable()->weights().entries();
  CHECK(entries[1].released);
  CHECK(entries.back().folded);
}

TEST_CASE_TEMPLATE("a swap folds again and takes effect in the next run", S, treadle::Serial,
                   treadle::Inline, treadle::ThreadPool) {
  S scheduler;
  Engine<Cpu, S> engine(scheduler);
  CHECK(engine.run(5) == 16);
  CHECK(engine.executor->weights_version() == 1);
  const auto version = engine.executor->swap_weights(two(10, 1));
  REQUIRE(version);
  CHECK(*version == 2);
  CHECK(engine.run(5) == 60);
  REQUIRE(engine.executor->update_weights({weight("b", {0, 0, 0, 0})}));
  CHECK(engine.run(5) == 50);
  CHECK(engine.executor->weights_version() == 3);
}

TEST_CASE("weights that the host changes where they lie are folded again on request") {
  treadle::Serial scheduler;
  Engine<Cpu, treadle::Serial> engine(scheduler);
  for (const auto& entry : engine.executor->executable()->weights().entries())
    if (entry.source.name == "a")
      for (auto& element : entry.tensor.elements<float>()) element = 7;
  CHECK(engine.run(5) == 35 + 6);  // the folded product is still that of 2 and 3
  REQUIRE(engine.executor->run_const_graph());
  CHECK(engine.run(5) == 35 + 21);
}

TEST_CASE("a swap that does not fit lists every problem and changes nothing") {
  treadle::Serial scheduler;
  Engine<Cpu, treadle::Serial> engine(scheduler);
  const auto refused =
      engine.executor->swap_weights({weight("a", {1, 2, 3}), weight("c", {1, 2, 3, 4})});
  REQUIRE_FALSE(refused);
  const std::string message(refused.error().message());
  CHECK(message.find("'a': expected") != std::string::npos);
  CHECK(message.find("'b': missing") != std::string::npos);
  CHECK(message.find("'c': the program has no weight of this name") != std::string::npos);
  CHECK(engine.executor->weights_version() == 1);
  CHECK(engine.run(5) == 16);
}

TEST_CASE("a swap can skip and keep names") {
  treadle::Serial scheduler;
  Engine<Cpu, treadle::Serial> engine(scheduler);
  treadle::WeightSwapOptions options;
  options.skip = [](std::string_view name) { return name == "a"; };
  options.keep = [](std::string_view name) { return name == "a"; };
  options.allow_unknown = true;
  REQUIRE(engine.executor->swap_weights(
      {weight("a", {9}), weight("b", {7, 7, 7, 7}), weight("optimizer.step", {1})}, options));
  CHECK(engine.run(1) == 2 + 14);
}

TEST_CASE("weights that share storage change together") {
  auto storage = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<treadle::WeightSource> tied;
  for (const std::int64_t offset : {0, 4}) {
    treadle::WeightSource source;
    source.name = offset == 0 ? "head" : "tail";
    source.meta = treadle::make_meta(treadle::DType::float32, {4});
    source.meta.storage_offset = offset;
    source.bytes = std::as_bytes(std::span(*storage));
    source.owner = storage;
    tied.push_back(source);
  }
  tied.push_back(tied[0]);
  tied.back().name = "all";
  tied.back().meta = treadle::make_meta(treadle::DType::float32, {8});
  Cpu backend;
  auto weights = treadle::Weights<Cpu>::make(backend, tied);
  REQUIRE(weights);
  auto merged = treadle::merge_weights(*weights, {weight("tail", {50, 60, 70, 80})},
                                       {.keep = [](std::string_view) { return true; }});
  REQUIRE(merged);
  auto changed = treadle::Weights<Cpu>::make(backend, *std::move(merged));
  REQUIRE(changed);
  CHECK(elements_of<Cpu>(changed->entries()[2].tensor) ==
        std::vector<float>{1, 2, 3, 4, 50, 60, 70, 80});
  CHECK(elements_of<Cpu>(changed->entries()[0].tensor) == std::vector<float>{1, 2, 3, 4});
  CHECK((*storage)[4] == 5);
}

TEST_CASE("a failed allocation during a swap changes nothing") {
  treadle::Serial scheduler;
  for (int allocations = 0; allocations < 8; ++allocations) {
    test::FailingBackend backend(1000);
    Engine<test::FailingBackend, treadle::Serial> engine(scheduler, true, backend);
    CHECK(engine.run(5) == 16);
    backend.allow(allocations);
    const auto version = engine.executor->swap_weights(two(10, 1));
    backend.allow(1000);
    CHECK(engine.run(5) == (version ? 60 : 16));
    CHECK(engine.executor->weights_version() == (version ? 2 : 1));
  }
}

TEST_CASE_TEMPLATE("swapping under load loses no run and mixes no two versions", S, treadle::Serial,
                   treadle::ThreadPool) {
  // TREADLE_SOAK_SECONDS makes it a soak test.
  const char* soak = std::getenv("TREADLE_SOAK_SECONDS");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(soak ? 1000 * std::atoi(soak) : 400);
  S scheduler;
  Engine<Cpu, S> engine(scheduler);
  // With weights v and v the answer for 1 is v + v²: any mixture gives something else.
  REQUIRE(engine.executor->swap_weights(two(1, 1)));
  std::atomic<bool> stop{false};
  std::atomic<int> bad{0}, good{0};
  const auto right = [](float y) {
    for (int v = 1; v <= 16; ++v)
      if (y == static_cast<float>(v + v * v)) return true;
    return false;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      treadle::State<Cpu> state;
      const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 1, 1, 1})};
      while (!stop) {
        auto outputs = engine.executor->run(inputs, state);
        const bool fine = outputs && right(elements_of((*outputs)[0])[3]);
        (fine ? good : bad).fetch_add(1);
      }
    });
  threads.emplace_back([&] {
    const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 1, 1, 1})};
    auto session = treadle::Session<Cpu, S>::make(*engine.executor, inputs);
    while (!stop) {
      const bool fine =
          session && session->run() && right(session->output(0).template data<float>()[2]);
      (fine ? good : bad).fetch_add(1);
    }
  });
  int swaps = 0;
  for (; swaps < 4 || std::chrono::steady_clock::now() < end; ++swaps) {
    const auto v = static_cast<float>(1 + swaps % 16);
    REQUIRE(engine.executor->swap_weights(two(v, v)));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  CHECK(bad == 0);
  CHECK(good > 0);
  CHECK(swaps > 1);
}

TEST_CASE("a snapshot cell gives readers the value of now and lets old ones go") {
  treadle::SnapshotCell<const std::array<int, 64>> cell(
      std::make_shared<const std::array<int, 64>>());
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t)
    readers.emplace_back([&] {
      int last = 0;
      while (!stop) {
        const auto value = cell.load();
        if (value->front() != value->back() || value->front() < last) ++torn;
        last = value->front();
      }
    });
  std::weak_ptr<const std::array<int, 64>> previous;
  for (int i = 1; i < 2000; ++i) {
    auto next = std::make_shared<std::array<int, 64>>();
    next->fill(i);
    previous = cell.load();
    cell.store(std::move(next));
  }
  stop = true;
  for (auto& reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(cell.load()->front() == 1999);
  CHECK(previous.expired());
}
