// What a session promises to a real-time thread: a run takes no memory, no lock and makes no system
// call. Each is trapped while every golden program with sizes known beforehand runs many times.
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <new>
#include <pthread.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/treadle.hpp>

#include "support/golden.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_TRAPS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_TRAPS 0
#endif
#endif
#ifndef TEST_TRAPS
#define TEST_TRAPS 1  // sanitizers bring an allocator and locks of their own
#endif

namespace {
thread_local bool trapped = false;
thread_local int allocations = 0;
thread_local int locks = 0;
}  // namespace

#if TEST_TRAPS
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void* malloc(std::size_t bytes) {
  allocations += trapped ? 1 : 0;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  allocations += trapped ? 1 : 0;
  return __libc_calloc(count, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  allocations += trapped ? 1 : 0;
  return __libc_memalign(alignment, bytes);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  locks += trapped ? 1 : 0;
  return real(mutex);
}
}
#endif

using Cpu = treadle::cpu::Backend;

#if TEST_TRAPS
namespace {

using Session = treadle::Session<Cpu, treadle::Serial>;

/// From now on any system call but the end of the process kills it.
bool forbid_system_calls() {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int calls_are_trapped = 10, calls_cannot_be_trapped = 11, run_failed = 12;

/// What a child process that may make no system call ends with after running `body`.
template <class Body>
int without_system_calls(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    int code = calls_cannot_be_trapped;
    if (forbid_system_calls()) code = body() ? calls_are_trapped : run_failed;
    syscall(SYS_exit_group, code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool is_static(const treadle::ExecutionPlan<Cpu>& plan) {
  for (const auto& step : plan.steps)
    if (step.kind != treadle::Step<Cpu>::Kind::kernel) return false;
  return true;
}

/// Calls `check(session)` for every golden program whose sizes are known before a run.
template <class Check>
void for_each_session(Check&& check) {
  int count = 0;
  for (const auto& file : test::golden_files()) {
    CAPTURE(file.filename().string());
    const auto arrays = treadle::read_npz(std::filesystem::path(file).replace_extension("npz"));
    REQUIRE(arrays);
    auto model = treadle::Model<>::load(file.string());
    if (!model) FAIL(model.error().message());
    auto session = model->session(test::inputs_of(model->executable()->bound(), *arrays));
    if (!session) FAIL(session.error().message());
    if (!is_static(session->plan())) continue;
    check(*session);
    ++count;
  }
  CHECK(count > 12);
}

}  // namespace

TEST_CASE("a session's run allocates nothing and takes no lock") {
  for_each_session([](Session& session) {
    REQUIRE(session.run());
    allocations = locks = 0;
    trapped = true;
    bool good = true;
    for (int i = 0; i < 100; ++i) good = good && session.run();
    trapped = false;
    CHECK(good);
    CHECK(allocations == 0);
    CHECK(locks == 0);
  });
}

TEST_CASE("the traps catch what they are for") {
  allocations = locks = 0;
  trapped = true;
  void* volatile memory = std::malloc(16);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  const auto tensor = treadle::cpu::Tensor::empty(treadle::DType::float32, {4});
  trapped = false;
  std::free(memory);
  CHECK(tensor);
  CHECK(allocations >= 2);
  CHECK(locks == 1);
}

TEST_CASE("a session's run makes no system call") {
  const int control = without_system_calls([] { return getppid() > 0; });
  if (control == calls_cannot_be_trapped) {
    MESSAGE("this system has no seccomp filters");
    return;
  }
  CHECK(control == -SIGSYS);
  for_each_session([](Session& session) {
    REQUIRE(session.run());
    CHECK(without_system_calls([&] {
            bool good = true;
            for (int i = 0; i < 1000; ++i) good = good && session.run();
            return good;
          }) == calls_are_trapped);
  });
}
#endif

TEST_CASE("a run that takes over swapped weights allocates nothing, either") {
  const std::string file = std::string(TREADLE_GOLDEN_DIR) + "/programs/perceptron.pt2";
  auto model = treadle::Model<>::load(file);
  REQUIRE(model);
  const auto arrays =
      treadle::read_npz(std::string(TREADLE_GOLDEN_DIR) + "/programs/perceptron.npz");
  REQUIRE(arrays);
  auto session = model->session(test::inputs_of(model->executable()->bound(), *arrays));
  REQUIRE(session);
  REQUIRE(session->run());
  const auto before = test::numbers(session->output(0));
  const std::byte* address = session->output(0).bytes();
  // Every weight doubled, then the file's again.
  std::vector<std::pair<std::string, treadle::cpu::Tensor>> doubled;
  for (const auto& entry : model->executable()->weights().entries()) {
    if (entry.folded) continue;
    auto copy = treadle::clone_tensor(*std::make_unique<Cpu>(), entry.tensor);
    REQUIRE(copy);
    if (copy->dtype() == treadle::DType::float32)
      for (auto& element : copy->elements<float>()) element *= 2;
    doubled.emplace_back(entry.source.name, *std::move(copy));
  }
  REQUIRE(model->update_weights(doubled));
  CHECK(session->weights_version() == 1);
  allocations = locks = 0;
  trapped = true;
  const bool good = static_cast<bool>(session->run());
  trapped = false;
  CHECK(good);
  CHECK(allocations == 0);
  CHECK(locks == 0);
  CHECK(session->weights_version() == 2);
  CHECK(session->output(0).bytes() == address);
  CHECK(test::numbers(session->output(0)) != before);
  REQUIRE(model->swap_weights(file));
  REQUIRE(session->run());
  CHECK(session->weights_version() == 3);
  CHECK(test::numbers(session->output(0)) == before);
}
