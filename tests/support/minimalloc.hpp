// The eleven hard instances of MiniMalloc, for tests and benches of memory planners.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// From https://github.com/google/minimalloc, benchmarks/challenging: copyright Google LLC, licensed
// under the Apache License, version 2.0 (https://www.apache.org/licenses/LICENSE-2.0). Changed:
// each time is replaced by its rank among the instance's times, and sizes count KiB.

namespace test {

/// A request of `kib` KiB in the steps [begin, end).
struct MinimallocRequest {
  std::uint16_t begin, end, kib;
};

/// An instance, to be placed in 1 MiB.
struct MinimallocInstance {
  std::string_view name;
  std::span<const MinimallocRequest> requests;
};

namespace minimalloc {

#include "support/minimalloc.inc"

}  // namespace minimalloc

inline constexpr MinimallocInstance minimalloc_instances[] = {
    {"A", minimalloc::a}, {"B", minimalloc::b}, {"C", minimalloc::c}, {"D", minimalloc::d},
    {"E", minimalloc::e}, {"F", minimalloc::f}, {"G", minimalloc::g}, {"H", minimalloc::h},
    {"I", minimalloc::i}, {"J", minimalloc::j}, {"K", minimalloc::k},
};

}  // namespace test
