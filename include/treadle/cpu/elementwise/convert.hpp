// Strided conversions between stored dtypes and the compute types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/cpu/elementwise/element_op.hpp>

namespace treadle::inline v0::cpu {

/// Converts `n` elements; strides in bytes. The arrays do not overlap.
using ConvertLoop = void (*)(const std::byte* from, std::int64_t from_stride, std::byte* to,
                             std::int64_t to_stride, std::int64_t n);

/// From `dtype` to a compute type; null if no such conversion exists. Complex numbers lose their
/// imaginary part where the compute type is real.
[[nodiscard]] ConvertLoop load_loop(DType from, ComputeType to);
/// From a compute type to `dtype`: floats truncate toward zero to integers, anything but zero is
/// true.
[[nodiscard]] ConvertLoop store_loop(ComputeType from, DType to);
/// Copies elements of `bytes` bytes (1, 2, 4, 8 or 16) as they are.
[[nodiscard]] ConvertLoop move_loop(std::size_t bytes);

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/elementwise/convert-inl.hpp>
#endif
