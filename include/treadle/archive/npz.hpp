// Named arrays in NumPy's `.npz` format.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/npy.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// An array with its name, which is that of its record without `.npy`.
using NamedArray = std::pair<std::string, NpyArray>;

/// Whether names that end in `__bfloat16` stand for the bits of bfloat16 arrays, as uint16. NumPy
/// itself has no bfloat16.
enum class BFloat16Names : bool { plain, convert };

/// All arrays in the file's order; records that are not `.npy` are refused.
[[nodiscard]] Result<std::vector<NamedArray>> read_npz(
    Bytes file, const LoadLimits& limits = {}, BFloat16Names names = BFloat16Names::convert);
[[nodiscard]] Result<std::vector<NamedArray>> read_npz(
    const std::string& path, const LoadLimits& limits = {},
    BFloat16Names names = BFloat16Names::convert);

struct NpzWriteOptions {
  bool deflate = false;
  BFloat16Names names = BFloat16Names::convert;
};

/// Writes a file that `numpy.load` reads. Errors as `write_npy` and `ZipWriter`.
[[nodiscard]] Status write_npz(const std::string& path, std::span<const NamedArray> arrays,
                               NpzWriteOptions options = {});

/// `NAME__bfloat16`, uint16 → `NAME`, bfloat16. Others stay as they are.
void from_bfloat16_bits(NamedArray& array);
/// `NAME`, bfloat16 → `NAME__bfloat16`, uint16. Others stay as they are.
void to_bfloat16_bits(NamedArray& array);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/npz-inl.hpp>
#endif
