// Every scheduler gives the same bits: golden programs, each node a task, in many orders.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
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

constexpr treadle::ExecutorOptions as_tasks = {
    .tasks = {.grain_ns = 0, .least_work_ns = 0, .least_gain = 0}};

}  // namespace

TEST_CASE("golden programs give the same bits on every scheduler") {
  treadle::ThreadPool pools[] = {treadle::ThreadPool(1), treadle::ThreadPool(2),
                                 treadle::ThreadPool(4), treadle::ThreadPool(8)};
  for (const auto& file : test::golden_files()) {
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
