// Compares what a program gave with what was expected.
#pragma once

#include <optional>
#include <string>

#include <treadle/archive/npy.hpp>
#include <treadle/core/dtype.hpp>

namespace tool {

/// |error| ≤ relative·|expected| + absolute·max(1, largest |expected|).
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// What is right for the rounding of a dtype; zero for integers and bools.
[[nodiscard]] Tolerance tolerance_of(treadle::DType dtype);

/// The same, with what the user asked for instead where the dtype has rounding.
[[nodiscard]] Tolerance tolerance_of(treadle::DType dtype, std::optional<double> relative,
                                     std::optional<double> absolute);

struct Comparison {
  double largest_absolute = 0;
  double largest_relative = 0;  ///< over expected elements that are not zero
  bool ok = true;
};

/// Compares arrays of equal dtype and sizes. NaN equals NaN, infinities are equal by sign, complex
/// numbers are compared part by part.
[[nodiscard]] Comparison compare(const treadle::NpyArray& found, const treadle::NpyArray& expected,
                                 Tolerance tolerance);

}  // namespace tool
