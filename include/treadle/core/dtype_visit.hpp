// From a dtype at run time to a C++ type at compile time.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <treadle/core/dtype.hpp>
#include <treadle/core/half.hpp>

namespace treadle::inline v0 {

/// Maps a C++ element type to its dtype.
template <class T>
[[nodiscard]] constexpr DType dtype_of() noexcept {
  if constexpr (std::is_same_v<T, bool>)
    return DType::bool_;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return DType::uint8;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return DType::int8;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return DType::int16;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return DType::int32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return DType::int64;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return DType::uint16;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return DType::uint32;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return DType::uint64;
  else if constexpr (std::is_same_v<T, Half>)
    return DType::float16;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return DType::bfloat16;
  else if constexpr (std::is_same_v<T, float>)
    return DType::float32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::float64;
  else if constexpr (std::is_same_v<T, ComplexHalf>)
    return DType::complex32;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return DType::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return DType::complex128;
  else if constexpr (std::is_same_v<T, Float8E4M3FN>)
    return DType::float8_e4m3fn;
  else if constexpr (std::is_same_v<T, Float8E5M2>)
    return DType::float8_e5m2;
  else
    return DType::undefined;
}

/// Stands for the type `T` as a function argument.
template <class T>
struct TypeTag {
  using type = T;
};

/// Calls `function(TypeTag<T>{})` with the element type of `dtype`, for the dtypes that have one
/// in C++; the rest (undefined, the fnuz and e8m0 floats) give false.
template <class Function>
constexpr bool visit_dtype(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::bool_: function(TypeTag<bool>{}); return true;
    case DType::uint8: function(TypeTag<std::uint8_t>{}); return true;
    case DType::int8: function(TypeTag<std::int8_t>{}); return true;
    case DType::int16: function(TypeTag<std::int16_t>{}); return true;
    case DType::int32: function(TypeTag<std::int32_t>{}); return true;
    case DType::int64: function(TypeTag<std::int64_t>{}); return true;
    case DType::uint16: function(TypeTag<std::uint16_t>{}); return true;
    case DType::uint32: function(TypeTag<std::uint32_t>{}); return true;
    case DType::uint64: function(TypeTag<std::uint64_t>{}); return true;
    case DType::float16: function(TypeTag<Half>{}); return true;
    case DType::bfloat16: function(TypeTag<BFloat16>{}); return true;
    case DType::float32: function(TypeTag<float>{}); return true;
    case DType::float64: function(TypeTag<double>{}); return true;
    case DType::complex32: function(TypeTag<ComplexHalf>{}); return true;
    case DType::complex64: function(TypeTag<std::complex<float>>{}); return true;
    case DType::complex128: function(TypeTag<std::complex<double>>{}); return true;
    case DType::float8_e4m3fn: function(TypeTag<Float8E4M3FN>{}); return true;
    case DType::float8_e5m2: function(TypeTag<Float8E5M2>{}); return true;
    default: return false;
  }
}

}  // namespace treadle::inline v0
