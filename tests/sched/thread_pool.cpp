// The pool: its laws at every size, its options, and that it costs nothing when idle.
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <treadle/sched/thread_pool.hpp>

#include "support/laws.hpp"
#include "support/threaded_laws.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

TEST_CASE("pools of every size obey the laws") {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    treadle::ThreadPool pool(size);
    CAPTURE(size);
    CHECK(pool.concurrency() == size);
    test::expect_scheduler_laws(pool);
    test::expect_threaded_laws(pool, size > 1);
  }
}

TEST_CASE("pools that sleep at once lose no wake-up") {
  for (const std::size_t size : {1U, 2U, 4U}) {
    treadle::ThreadPool pool({.concurrency = size, .spins = 1});
    CAPTURE(size);
    test::expect_scheduler_laws(pool);
    test::expect_threaded_laws(pool, size > 1);
  }
}

TEST_CASE("more callers than places share a pool") {
  treadle::ThreadPool pool({.concurrency = 2, .spins = 4});
  test::on_threads(24, [&](int) { test::expect_writes_are_seen(pool, 200); });
}

TEST_CASE("a pool's destructor runs what was submitted") {
  for (const std::size_t size : {1U, 3U}) {
    std::atomic<int> ran{0};
    {
      treadle::ThreadPool pool(size);
      for (int i = 0; i < 1000; ++i)
        pool.submit({[](void* context, std::size_t) noexcept {
                       static_cast<std::atomic<int>*>(context)->fetch_add(1);
                     },
                     &ran, 0});
    }
    CHECK(ran.load() == 1000);
  }
}

TEST_CASE("pools inside pools do not mix their threads up") {
  treadle::ThreadPool outer(2), inner(2);
  const auto split = treadle::make_parallel_for(outer);
  std::atomic<int> sum{0};
  split(16, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      treadle::make_parallel_for(inner)(10, 1, [&](std::int64_t first, std::int64_t last) {
        sum += static_cast<int>(last - first);
      });
  });
  CHECK(sum == 160);
}

TEST_CASE("tasks that take time overlap") {
  const auto time_on = [](std::size_t threads) {
    treadle::ThreadPool pool(threads);
    const auto begin = std::chrono::steady_clock::now();
    treadle::make_parallel_for(pool)(40, 1, [](std::int64_t first, std::int64_t last) {
      std::this_thread::sleep_for(std::chrono::milliseconds(last - first));
    });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  CHECK(time_on(1) > 0.040);
  CHECK(time_on(4) < 0.75 * time_on(1));
}

#if defined(__linux__)
TEST_CASE("threads have names, places and a hook") {
  std::mutex mutex;
  std::set<std::string> names;
  std::set<std::size_t> workers;
  std::atomic<int> started{0}, pinned{0};
  treadle::ThreadPool pool(
      {.concurrency = 3, .name = "voices-of-spring", .cpus = {0}, .on_start = [&](std::size_t i) {
         char name[16] = {};
         pthread_getname_np(pthread_self(), name, sizeof(name));
         cpu_set_t set;
         sched_getaffinity(0, sizeof(set), &set);
         if (CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set)) ++pinned;
         const std::lock_guard lock(mutex);
         names.insert(name);
         workers.insert(i);
         ++started;
       }});
  while (started < 2) std::this_thread::yield();
  const std::lock_guard lock(mutex);
  CHECK(names == std::set<std::string>{"voices-of-spr-1", "voices-of-spr-2"});
  CHECK(workers == std::set<std::size_t>{0, 1});
  CHECK(pinned == 2);
}

TEST_CASE("idle threads sleep") {
  treadle::ThreadPool pool(4);
  test::expect_tasks_run_once(pool);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  timespec before{}, after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto used = static_cast<double>(after.tv_sec - before.tv_sec) * 1e3 +
                    static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-6;
  CHECK(used < 50);  // milliseconds, where three spinning threads would take up to 600
}
#endif
