// Arrays in NumPy's `.npy` format.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// An array in row-major order, little-endian.
struct NpyArray {
  DType dtype = DType::float32;
  Dims sizes;
  Bytes data;  ///< `element_count(sizes) * size_of(dtype)` bytes at a multiple of `byte_alignment`
};

/// Reads format versions 1 to 3. Column-major arrays are turned into row-major ones; otherwise
/// `data` shares `file` where its address allows. Errors: `corrupt_file`, `limit_exceeded`, and
/// `unsupported_file` for big-endian, structured, object and text arrays, each by name.
[[nodiscard]] Result<NpyArray> read_npy(const Bytes& file, const LoadLimits& limits = {});

/// The file's bytes. Errors: `invalid_argument` if NumPy has no such dtype (bfloat16, complex32,
/// the 8-bit floats), or if the data's length is not that of the sizes.
[[nodiscard]] Result<std::vector<std::byte>> write_npy(const NpyArray& array);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/npy-inl.hpp>
#endif
