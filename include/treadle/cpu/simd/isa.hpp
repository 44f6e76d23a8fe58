// Compiles every core that depends on the instruction set, once per target.
#pragma once

#include <treadle/cpu/simd/disabled_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE <treadle/cpu/simd/isa-inl.hpp>
// clang-format off: the order matters.
#include <hwy/foreach_target.h>
#include <treadle/cpu/simd/isa-inl.hpp>
// clang-format on
