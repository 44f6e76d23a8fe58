// Runs that ask for no memory.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/sched/thread_pool.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"
#include "support/sanitizers.hpp"

// Sanitizers bring an allocator of their own, which can't be replaced.
#if !defined(TREADLE_TEST_TSAN) && !defined(TREADLE_TEST_ASAN)

using Cpu = treadle::cpu::Backend;
using test::vector_of;

namespace {

std::atomic<std::int64_t> allocations{0};

/// Runs in a steady state; gives how often memory was asked for.
template <class S>
std::int64_t allocations_of_runs(S& scheduler, treadle::GraphModule module) {
  treadle::Executor<Cpu, S> executor(test::bind<Cpu>(std::move(module)), scheduler, {},
                                     test::every_step_a_task());
  const test::Values<Cpu> inputs = {vector_of<Cpu>({1, 2, 3, 4, 5, 6, 7, 8}),
                                    vector_of<Cpu>({8, 7, 6, 5, 4, 3, 2, 1})};
  auto session = treadle::Session<Cpu, S>::make(executor, inputs);
  REQUIRE(session);
  for (int i = 0; i < 10; ++i) REQUIRE(session->run());
  const std::int64_t before = allocations;
  bool good = true;
  for (int i = 0; i < 100; ++i) good &= session->run().has_value();
  const std::int64_t after = allocations;
  CHECK(good);
  return after - before;
}

}  // namespace

TEST_CASE_TEMPLATE("a steady run asks for no memory", S, treadle::Serial, treadle::Inline,
                   treadle::ThreadPool) {
  S scheduler;
  CHECK(allocations_of_runs(scheduler, test::wide(32, 3)) == 0);
  CHECK(allocations_of_runs(scheduler, test::wavefront(12)) == 0);
}

// Counts what this program asks for. Not inlined, or g++ takes `free` for a mistake.
[[gnu::noinline]] static void* counted(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment))
    return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] static void release(void* p) noexcept { std::free(p); }

void* operator new(std::size_t size) { return counted(size, 16); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

#endif
