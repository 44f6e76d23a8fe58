// What all subcommands share: types, exit statuses, how an error is reported.
#pragma once

#include <cstdio>
#include <string_view>

#include <fmt/core.h>

#include <treadle/core/error.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/tensor.hpp>
#include <treadle/value/value.hpp>

namespace tool {

using Backend = treadle::cpu::Backend;
using Tensor = treadle::cpu::Tensor;
using Value = treadle::Value<Backend>;

/// The program's exit status; scripts rely on the numbers.
enum ExitStatus : int {
  good = 0,
  outputs_differ = 1,
  wrong_usage = 2,
  failed = 3,  ///< a file, an operator, an input or the machine
};

/// Says what went wrong on the error stream.
inline int report(std::string_view sentence, int status) {
  fmt::print(stderr, "treadle: {}\n", sentence);
  return status;
}
inline int report(const treadle::Error& error) { return report(error.message(), failed); }

}  // namespace tool
