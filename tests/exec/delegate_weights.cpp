// Delegates and swapped weights: processed before the swap, committed with it.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/sched/serial.hpp>

#include "support/engine.hpp"
#include "support/programs.hpp"

namespace {

using Cpu = treadle::cpu::Backend;

/// Keeps count of what it was told; refuses on request.
struct Listener : treadle::Delegate<Cpu> {
  treadle::Result<std::shared_ptr<const void>> process_weights(
      const treadle::Weights<Cpu>& weights) override {
    if (refuses) return treadle::Error(treadle::ErrorCode::kernel_failed, "not these");
    processed = weights.entries().size();
    ++calls;
    return std::shared_ptr<const void>();
  }
  void commit_weights() noexcept override { ++commits; }
  treadle::Status run(treadle::RunContext<Cpu>&, const void*, std::span<const Tensor* const>,
                      std::span<Tensor* const>) override {
    return {};
  }
  std::size_t processed = 0;
  int calls = 0, commits = 0;
  bool refuses = false;
};

}  // namespace

TEST_CASE("a swap of weights is processed by delegates first, and stops if one refuses") {
  Cpu backend;
  auto weights = treadle::Weights<Cpu>::make(backend, test::zero_buffer("calls"));
  REQUIRE(weights);
  const auto listener = std::make_shared<Listener>();
  treadle::HostParts<Cpu> host;
  host.delegates.push_back(listener);
  auto executable = treadle::Executable<Cpu>::make(
      test::counter(), *std::move(weights), test::elementwise_kernels<Cpu>(),
      treadle::standard_ops(), backend, std::move(host));
  if (!executable) FAIL(executable.error().message());
  CHECK(listener->processed == 1);
  CHECK(listener->commits == 1);
  treadle::Serial serial;
  treadle::Executor<Cpu, treadle::Serial> executor(*executable, serial);
  REQUIRE(executor.swap_weights(test::zero_buffer("calls")));
  CHECK(listener->calls == 2);
  CHECK(listener->commits == 2);
  listener->refuses = true;
  const auto refused = executor.swap_weights(test::zero_buffer("calls"));
  REQUIRE(!refused);
  CHECK(refused.error().message() == "a delegate's weights: not these");
  CHECK(listener->commits == 2);
  CHECK(executor.weights_version() == 2);
}
