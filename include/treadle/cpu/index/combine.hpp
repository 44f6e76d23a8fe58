// How an element that is scattered joins the one that is there.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/scalar.hpp>

namespace treadle::inline v0::cpu {

enum class Combine : std::uint8_t { replace, add, multiply, largest, smallest };

/// Combines `n` elements of `from` into `to`; strides in bytes. NaN wins over any number.
using CombineRow = void (*)(std::byte* to, std::int64_t to_stride, const std::byte* from,
                            std::int64_t from_stride, std::int64_t n);

/// What `scatter_element` is told of a row of indices.
struct ScatterRow {
  std::byte* to = nullptr;  ///< the start of the row's line in the target
  const std::byte* index = nullptr;
  const std::byte* from = nullptr;
  std::int64_t n = 0;
  std::int64_t index_stride = 0, from_stride = 0;  ///< bytes
  std::int64_t place_stride = 0;                   ///< target bytes from one position to the next
  std::int64_t row_stride = 0;                     ///< target bytes from one index to the next
  std::int64_t bound = 0;
  bool narrow = false;  ///< indices are int32
};

/// Combines a row; returns the position of an index that is out of [0, bound), or -1.
using ScatterLoop = std::int64_t (*)(const ScatterRow& row);

/// Copies the elements at the places that the row's indices choose to `dense`, `from_stride` apart;
/// `row.to` is read, `row.from` is not used. Returns as `ScatterLoop`.
using GatherLoop = std::int64_t (*)(const ScatterRow& row, std::byte* dense);
/// Divides an element by a count; integers round down.
using DivideElement = void (*)(std::byte* element, std::int64_t count);

/// Loops for a dtype; null where it has no such arithmetic.
[[nodiscard]] CombineRow combine_row(Combine how, DType dtype);
[[nodiscard]] ScatterLoop scatter_loop(Combine how, DType dtype);
[[nodiscard]] GatherLoop gather_loop(DType dtype);
[[nodiscard]] DivideElement divide_element(DType dtype);
/// Writes a number as an element; false if the dtype has no such elements.
bool store_element(const Scalar& value, DType dtype, std::byte* to);
/// Writes the element that leaves others as they are when combined with it.
bool store_identity(Combine how, DType dtype, std::byte* to);

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/index/combine-inl.hpp>
#endif
