// Between the arrays of files and the values of a program.
#pragma once

#include <optional>
#include <string>

#include <treadle/archive/npy.hpp>
#include <treadle/core/result.hpp>

#include "common.hpp"

namespace tool {

/// A tensor of one's own with the array's elements.
treadle::Result<Tensor> to_tensor(const treadle::NpyArray& array);
/// The only element of an array as a number of its kind; nothing if it has dimensions.
std::optional<Value> to_number(const treadle::NpyArray& array);
/// A tensor or a number (0-d: int64, float64, bool, complex128) as an array; nothing for the rest.
std::optional<treadle::NpyArray> to_array(const Value& value);
/// The same value, tensors copied with their strides.
treadle::Result<Value> copy_of(const Value& value);
/// The first elements as text: `[0.5, 1, …]`.
std::string first_elements(const treadle::NpyArray& array);
/// `float32[2, 3]`.
std::string describe(const treadle::NpyArray& array);

}  // namespace tool
