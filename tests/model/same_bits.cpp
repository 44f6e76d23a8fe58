// Every scheduler and any number of callers get the same bits: golden programs, each node a task,
// in many orders. The environment variable TREADLE_ZOO names a folder of further programs, and
// TREADLE_SOAK_SECONDS says how long the callers go on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/thread_pool.hpp>
#include <treadle/treadle.hpp>

#include "support/golden.hpp"
#include "support/schedulers.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using treadle::cpu::Tensor;

/// Fowler, Noll and Vo's hash of all elements and numbers.
std::uint64_t hash_of(const std::vector<treadle::Value<Cpu>>& outputs) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
  const auto add = [&](std::span<const std::byte> bytes) {
    for (const std::byte b : bytes)
      hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100'0000'01b3U;
  };
  for (const auto& output : outputs) {
    if (const auto* tensor = output.get_if<Tensor>()) {
      Cpu backend;
      const Tensor copy = *treadle::clone_tensor(backend, *tensor);
      const auto bytes = treadle::storage_bytes(copy.meta());
      add({copy.bytes(), bytes.value_or(0)});
    } else if (const auto number = output.real()) {
      add(std::as_bytes(std::span(&*number, 1)));
    }
  }
  return hash;
}

/// Two runs, so that what a program remembers counts too.
template <class S>
std::vector<std::uint64_t> hashes_of(const std::filesystem::path& file, S& scheduler,
                                     const treadle::ExecutorOptions& options) {
  const auto arrays = treadle::read_npz(std::filesystem::path(file).replace_extension("npz"));
  REQUIRE(arrays);
  treadle::ModelOptions model_options;
  model_options.executor = options;
  auto model = treadle::Model<Cpu, S>::load(file.string(), scheduler, std::move(model_options));
  if (!model) FAIL(model.error().message());
  std::vector<std::uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    const auto outputs = model->run(test::inputs_of(model->executable()->bound(), *arrays));
    if (!outputs) FAIL(outputs.error().message());
    hashes.push_back(hash_of(*outputs));
  }
  return hashes;
}

std::vector<std::filesystem::path> programs() {
  auto files = test::golden_files();
  if (const char* folder = std::getenv("TREADLE_ZOO"))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".pt2") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

constexpr treadle::ExecutorOptions as_tasks = {
    .tasks = {.grain_ns = 0, .least_work_ns = 0, .least_gain = 0}};

}  // namespace

TEST_CASE("programs give the same bits on every scheduler") {
  treadle::ThreadPool pools[] = {treadle::ThreadPool(1), treadle::ThreadPool(2),
                                 treadle::ThreadPool(4), treadle::ThreadPool(8)};
  for (const auto& file : programs()) {
    CAPTURE(file.filename().string());
    treadle::Serial serial;
    const auto expected = hashes_of(file, serial, {});
    treadle::Inline inlined;
    CHECK(hashes_of(file, inlined, as_tasks) == expected);
    for (auto& pool : pools) {
      CAPTURE(pool.concurrency());
      CHECK(hashes_of(file, pool, as_tasks) == expected);
      CHECK(hashes_of(file, pool, {}) == expected);
    }
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      test::SteppingScheduler stepping(test::SteppingScheduler::Order::seeded, seed);
      CHECK(hashes_of(file, stepping, as_tasks) == expected);
    }
  }
}

TEST_CASE("eight threads that call one model on one pool get the same bits as one thread alone") {
  const char* soak = std::getenv("TREADLE_SOAK_SECONDS");
  const auto files = programs();
  const auto time = std::chrono::milliseconds(soak ? 1000 * std::atoi(soak) : 1500) /
                    static_cast<std::int64_t>(files.size());
  treadle::ThreadPool pool(4);
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    treadle::Serial serial;
    const auto alone = hashes_of(file, serial, {});
    if (alone[0] != alone[1]) continue;  // remembers something: callers would not be alike
    const auto arrays = treadle::read_npz(std::filesystem::path(file).replace_extension("npz"));
    treadle::ModelOptions options;
    options.executor = as_tasks;
    auto model = treadle::Model<Cpu, treadle::ThreadPool>::load(file.string(), pool, options);
    REQUIRE(model);
    const auto end = std::chrono::steady_clock::now() + time;
    std::atomic<int> good{0}, bad{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 8; ++t)
      callers.emplace_back([&] {
        do {
          const auto outputs = model->run(test::inputs_of(model->executable()->bound(), *arrays));
          (outputs && hash_of(*outputs) == alone[0] ? good : bad).fetch_add(1);
        } while (std::chrono::steady_clock::now() < end);
      });
    for (auto& caller : callers) caller.join();
    CHECK(bad == 0);
    CHECK(good >= 8);
  }
}
