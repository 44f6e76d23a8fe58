// Calls one operator of the CPU backend by name, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/backend.hpp>
#include <treadle/exec/call.hpp>
#include <treadle/ops/normalize.hpp>

namespace test {

using Tensor = treadle::cpu::Tensor;
using Arg = treadle::CallArgument<treadle::cpu::Backend>;

/// Operators and kernels to call, with a context to run them in.
class Caller {
 public:
  Caller(treadle::OpSet ops, treadle::KernelRegistry<treadle::cpu::Backend> kernels)
      : ops_(std::move(ops)), kernels_(std::move(kernels)) {}

  /// Trailing arguments that are not given get their defaults.
  treadle::Result<std::vector<Tensor>> try_call(std::string_view name, std::vector<Arg> arguments) {
    TREADLE_TRY(const auto op, treadle::resolve(ops_, kernels_, name));
    for (std::size_t i = arguments.size(); i < op.schema.argument_count; ++i) {
      if (!op.schema.arguments[i].has_default) {
        arguments.emplace_back(treadle::Constant(treadle::None{}));
        continue;
      }
      TREADLE_TRY(auto constant, treadle::parse_default(op.schema.arguments[i]));
      arguments.emplace_back(std::move(constant));
    }
    treadle::RunContext<treadle::cpu::Backend> context(backend_, {}, random_);
    return treadle::call_operator(op, context, std::move(arguments));
  }

  /// The same; a failure fails the test with its message.
  std::vector<Tensor> call(std::string_view name, std::vector<Arg> arguments) {
    auto result = try_call(name, std::move(arguments));
    if (!result) FAIL(result.error().message());
    return *std::move(result);
  }

 private:
  treadle::OpSet ops_;
  treadle::KernelRegistry<treadle::cpu::Backend> kernels_;
  treadle::cpu::Backend backend_;
  treadle::RandomState random_;
};

}  // namespace test
