// Definitions of the scattering loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/index/combine.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

constexpr bool is_ordered(Combine how) noexcept {
  return how == Combine::largest || how == Combine::smallest;
}

template <class T>
bool element_is_nan(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  else
    return false;
}

template <Combine How, class T>
T combined(T a, T b) {
  if constexpr (std::is_same_v<T, BFloat16> || std::is_same_v<T, Half>) {
    return T(combined<How>(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (std::is_same_v<T, bool>) {
    return How == Combine::add || How == Combine::largest ? a || b : a && b;
  } else if constexpr (is_ordered(How)) {
    if constexpr (requires { a < b; }) {
      if (element_is_nan(a)) return a;
      if (element_is_nan(b)) return b;
      return (How == Combine::largest) == (a < b) ? b : a;
    } else {
      return b;
    }
  } else if constexpr (std::is_integral_v<T>) {
    // Overflow wraps around.
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    return static_cast<T>(How == Combine::add ? x + y : x * y);
  } else {
    return How == Combine::add ? a + b : a * b;
  }
}

template <Combine How, class T>
void combine_element(std::byte* to, const std::byte* from) {
  T a, b;
  std::memcpy(&b, from, sizeof(T));
  if constexpr (How != Combine::replace) {
    std::memcpy(&a, to, sizeof(T));
    b = combined<How>(a, b);
  }
  std::memcpy(to, &b, sizeof(T));
}

/// True where loops call a function for an element: its arithmetic is long anyway, and sums of
/// halves are all that is common.
template <Combine How, class T>
inline constexpr bool is_combined_apart =
    (std::is_same_v<T, Half> && How != Combine::add) || std::is_same_v<T, Float8E4M3FN> ||
    std::is_same_v<T, Float8E5M2> || std::is_same_v<T, ComplexHalf>;

using CombineLong = void (*)(Combine how, std::byte* to, const std::byte* from);

template <class T>
[[gnu::noinline]] void combine_long(Combine how, std::byte* to, const std::byte* from) {
  using Wide = std::conditional_t<std::is_same_v<T, ComplexHalf>, std::complex<float>, float>;
  T a, b;
  std::memcpy(&a, to, sizeof(T));
  std::memcpy(&b, from, sizeof(T));
  const auto x = static_cast<Wide>(a), y = static_cast<Wide>(b);
  const auto result = [&] {
    switch (how) {
      case Combine::add: return combined<Combine::add>(x, y);
      case Combine::multiply: return combined<Combine::multiply>(x, y);
      case Combine::largest: return combined<Combine::largest>(x, y);
      case Combine::smallest: return combined<Combine::smallest>(x, y);
      case Combine::replace: break;
    }
    return y;
  };
  a = T(result());
  std::memcpy(to, &a, sizeof(T));
}

[[gnu::noinline]] inline void combine_long_elements(CombineLong combine, Combine how, std::byte* to,
                                                    std::int64_t to_stride, const std::byte* from,
                                                    std::int64_t from_stride, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) combine(how, to + i * to_stride, from + i * from_stride);
}

template <Combine How, class T>
void combine_elements(std::byte* to, std::int64_t to_stride, const std::byte* from,
                      std::int64_t from_stride, std::int64_t n) {
  constexpr auto item = static_cast<std::int64_t>(sizeof(T));
  if constexpr (is_combined_apart<How, T>)
    combine_long_elements(&combine_long<T>, How, to, to_stride, from, from_stride, n);
  else if (to_stride == item && from_stride == item)
    for (std::int64_t i = 0; i < n; ++i) combine_element<How, T>(to + i * item, from + i * item);
  else
    for (std::int64_t i = 0; i < n; ++i)
      combine_element<How, T>(to + i * to_stride, from + i * from_stride);
}

inline std::int64_t index_of(const ScatterRow& row, std::int64_t i) {
  const auto* at = row.index + i * row.index_stride;
  if (row.narrow) {
    std::int32_t index = 0;
    std::memcpy(&index, at, sizeof(index));
    return index;
  }
  std::int64_t index = 0;
  std::memcpy(&index, at, sizeof(index));
  return index;
}

template <class Element>
std::int64_t scatter_each(const ScatterRow& row, const Element& element) {
  for (std::int64_t i = 0; i < row.n; ++i) {
    const std::int64_t index = index_of(row, i);
    if (index < 0 || index >= row.bound) return i;
    element(row.to + index * row.place_stride + i * row.row_stride, row.from + i * row.from_stride);
  }
  return -1;
}

[[gnu::noinline]] inline std::int64_t scatter_long_elements(CombineLong combine, Combine how,
                                                            const ScatterRow& row) {
  return scatter_each(row, [=](std::byte* to, const std::byte* from) { combine(how, to, from); });
}

template <Combine How, class T>
std::int64_t scatter_elements(const ScatterRow& row) {
  if constexpr (is_combined_apart<How, T>)
    return scatter_long_elements(&combine_long<T>, How, row);
  else
    return scatter_each(
        row, [](std::byte* to, const std::byte* from) { combine_element<How, T>(to, from); });
}

/// Bytes that are moved, not computed with.
template <std::size_t Size>
struct Opaque {
  std::byte bytes[Size];
};

/// Calls `function` with the type to move elements of `dtype` as.
template <class Function>
void visit_opaque(DType dtype, Function&& function) {
  switch (size_of(dtype)) {
    case 1: return function(TypeTag<Opaque<1>>{});
    case 2: return function(TypeTag<Opaque<2>>{});
    case 4: return function(TypeTag<Opaque<4>>{});
    case 8: return function(TypeTag<Opaque<8>>{});
    case 16: return function(TypeTag<Opaque<16>>{});
    default: return;
  }
}

/// Calls `function` with the type to combine elements of `dtype` as.
template <Combine How, class Function>
void visit_combined(DType dtype, Function&& function) {
  if constexpr (How == Combine::replace)
    visit_opaque(dtype, function);
  else
    visit_dtype(dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      constexpr bool ordered = is_ordered(How);
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && !ordered)
        function(TypeTag<std::make_unsigned_t<T>>{});  // wraps around to the same bits
      else if constexpr (!ordered || !is_complex(treadle::dtype_of<T>()))
        function(tag);
    });
}

template <Combine How>
CombineRow combine_row_of(DType dtype) {
  CombineRow row = nullptr;
  visit_combined<How>(
      dtype, [&](auto tag) { row = &combine_elements<How, typename decltype(tag)::type>; });
  return row;
}
template <Combine How>
ScatterLoop scatter_loop_of(DType dtype) {
  ScatterLoop loop = nullptr;
  visit_combined<How>(
      dtype, [&](auto tag) { loop = &scatter_elements<How, typename decltype(tag)::type>; });
  return loop;
}

template <class T>
std::int64_t gather_elements(const ScatterRow& row, std::byte* dense) {
  for (std::int64_t i = 0; i < row.n; ++i) {
    const std::int64_t index = index_of(row, i);
    if (index < 0 || index >= row.bound) return i;
    std::memcpy(dense + i * row.from_stride, row.to + index * row.place_stride + i * row.row_stride,
                sizeof(T));
  }
  return -1;
}

template <class T>
void divide_by(std::byte* element, std::int64_t count) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    return;
  } else if constexpr (std::is_integral_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);
    const std::int64_t rest = wide % count;
    value = static_cast<T>(wide / count - (rest < 0 ? 1 : 0));
  } else if constexpr (std::is_same_v<T, ComplexHalf>) {
    value = T(static_cast<std::complex<float>>(value) / static_cast<float>(count));
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    value /= static_cast<float>(count);
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>) {
    value /= static_cast<double>(count);
  } else {
    value = T(static_cast<float>(value) / static_cast<float>(count));
  }
  std::memcpy(element, &value, sizeof(T));
}

}  // namespace detail

TREADLE_INLINE CombineRow combine_row(Combine how, DType dtype) {
  if (is_complex(dtype) && detail::is_ordered(how)) return nullptr;
  switch (how) {
    case Combine::replace: return detail::combine_row_of<Combine::replace>(dtype);
    case Combine::add: return detail::combine_row_of<Combine::add>(dtype);
    case Combine::multiply: return detail::combine_row_of<Combine::multiply>(dtype);
    case Combine::largest: return detail::combine_row_of<Combine::largest>(dtype);
    case Combine::smallest: return detail::combine_row_of<Combine::smallest>(dtype);
  }
  return nullptr;
}

TREADLE_INLINE ScatterLoop scatter_loop(Combine how, DType dtype) {
  if (is_complex(dtype) && detail::is_ordered(how)) return nullptr;
  switch (how) {
    case Combine::replace: return detail::scatter_loop_of<Combine::replace>(dtype);
    case Combine::add: return detail::scatter_loop_of<Combine::add>(dtype);
    case Combine::multiply: return detail::scatter_loop_of<Combine::multiply>(dtype);
    case Combine::largest: return detail::scatter_loop_of<Combine::largest>(dtype);
    case Combine::smallest: return detail::scatter_loop_of<Combine::smallest>(dtype);
  }
  return nullptr;
}

TREADLE_INLINE GatherLoop gather_loop(DType dtype) {
  GatherLoop loop = nullptr;
  detail::visit_opaque(
      dtype, [&](auto tag) { loop = &detail::gather_elements<typename decltype(tag)::type>; });
  return loop;
}

TREADLE_INLINE DivideElement divide_element(DType dtype) {
  DivideElement divide = nullptr;
  visit_dtype(dtype, [&](auto tag) { divide = &detail::divide_by<typename decltype(tag)::type>; });
  return divide;
}

TREADLE_INLINE bool store_element(const Scalar& value, DType dtype, std::byte* to) {
  const bool boolean = value.to_bool();
  const std::int64_t integer = value.to_int();
  const double real = value.to_double();
  const std::complex<double> complex = value.to_complex();
  ComputeType type = ComputeType::int64;
  const void* from = &integer;
  if (dtype == DType::bool_) {
    type = ComputeType::boolean;
    from = &boolean;
  } else if (is_complex(dtype)) {
    type = ComputeType::complex128;
    from = &complex;
  } else if (is_floating(dtype)) {
    type = ComputeType::float64;
    from = &real;
  }
  const ConvertLoop store = store_loop(type, dtype);
  if (store) store(static_cast<const std::byte*>(from), 0, to, 0, 1);
  return store != nullptr;
}

TREADLE_INLINE bool store_identity(Combine how, DType dtype, std::byte* to) {
  if (how == Combine::add || how == Combine::multiply)
    return store_element(Scalar(how == Combine::add ? 0 : 1), dtype, to);
  const bool largest = how == Combine::largest;
  if (!is_integral(dtype))
    return store_element(
        dtype == DType::bool_ ? Scalar(!largest) : Scalar(largest ? -HUGE_VAL : HUGE_VAL), dtype,
        to);
  if (is_unsigned(dtype)) return store_element(Scalar(largest ? 0 : -1), dtype, to);
  const std::int64_t lowest =
      std::numeric_limits<std::int64_t>::min() >> (64 - 8 * static_cast<int>(size_of(dtype)));
  return store_element(Scalar(largest ? lowest : ~lowest), dtype, to);
}

}  // namespace treadle::inline v0::cpu
