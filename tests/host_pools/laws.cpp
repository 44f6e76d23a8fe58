// Threads that belong to other libraries, lent to the engine.
#include "support/laws.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <asio/thread_pool.hpp>
#include <doctest/doctest.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <treadle/sched/asio.hpp>
#include <treadle/sched/callable.hpp>
#include <treadle/sched/tbb.hpp>

#include "support/sanitizers.hpp"
#include "support/threaded_laws.hpp"

namespace {

/// A host's simple pool.
class HostPool {
 public:
  explicit HostPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~HostPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void enqueue(std::function<void()> job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

template <class Host>
auto lend(Host& host, std::size_t threads) {
  const auto post = [&host](auto visit) { host.enqueue(visit); };
  return treadle::CallableScheduler<decltype(post)>(post, threads);
}

}  // namespace

TEST_CASE("a host's pool behind a callable obeys the laws") {
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    HostPool host(threads);
    auto lent = lend(host, static_cast<std::size_t>(threads));
    CHECK(lent.concurrency() == static_cast<std::size_t>(threads) + 1);
    test::expect_scheduler_laws(lent);
    test::expect_threaded_laws(lent);
  }
}

TEST_CASE("callers get on although the host's threads are busy") {
  HostPool host(1);
  std::atomic<bool> go{false};
  host.enqueue([&] { go.wait(false); });
  auto lent = lend(host, 1);
  test::expect_scheduler_laws(lent);
  go = true;
  go.notify_all();
}

TEST_CASE("a host's own thread may wait for tasks") {
  HostPool host(1);
  auto lent = lend(host, 1);
  std::atomic<bool> done{false};
  host.enqueue([&] {
    test::expect_scheduler_laws(lent);
    done = true;
    done.notify_all();
  });
  done.wait(false);
  CHECK(done);
}

TEST_CASE("callers get on although the host takes no work") {
  const auto refuse = [](auto) { throw std::runtime_error("closed"); };
  treadle::CallableScheduler<decltype(refuse)> lent(refuse, 2);
  test::expect_scheduler_laws(lent);
}

// oneTBB's library is not instrumented: the sanitizer does not see how it orders its threads.
TEST_CASE("an arena of oneTBB obeys the laws (not under the thread sanitizer)" *
          doctest::skip(test::under_thread_sanitizer)) {
  for (const int places : {1, 2, 4}) {
    CAPTURE(places);
    oneapi::tbb::task_arena arena(places);
    treadle::TbbScheduler lent(arena);
    test::expect_scheduler_laws(lent);
    test::expect_threaded_laws(lent);
  }
}

TEST_CASE("threads of an arena may be callers (not under the thread sanitizer)" *
          doctest::skip(test::under_thread_sanitizer)) {
  oneapi::tbb::task_arena arena(3);
  treadle::TbbScheduler lent(arena);
  arena.execute([&] {
    oneapi::tbb::parallel_for(0, 8, [&](int) { test::expect_writes_are_seen(lent, 100); });
  });
}

TEST_CASE("an Asio pool obeys the laws") {
  for (const std::size_t threads : {1U, 3U}) {
    CAPTURE(threads);
    asio::thread_pool host(threads);
    treadle::AsioScheduler lent(host, threads);
    test::expect_scheduler_laws(lent);
    test::expect_threaded_laws(lent);
  }
}
