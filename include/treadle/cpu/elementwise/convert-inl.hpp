// Definitions of the strided conversions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/elementwise/convert.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Float to integer as processors do it: truncated, and the least number where that is undefined.
template <class To>
To to_integer(double value) noexcept {
  if (!(value > -9223372036854775809.0 && value < 9223372036854775808.0)) {
    if constexpr (std::is_same_v<To, std::uint64_t>)
      if (value >= 9223372036854775808.0 && value < 18446744073709551616.0)
        return static_cast<std::uint64_t>(value);
    return static_cast<To>(INT64_MIN);
  }
  return static_cast<To>(static_cast<std::int64_t>(value));
}

template <class T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>> ||
    std::is_same_v<T, ComplexHalf>;

template <class To, class From>
To convert_element(From value) noexcept {
  if constexpr (std::is_same_v<From, To>) {
    return value;
  } else if constexpr (std::is_same_v<From, ComplexHalf>) {
    return convert_element<To>(static_cast<std::complex<float>>(value));
  } else if constexpr (is_complex_type<From>) {
    if constexpr (std::is_same_v<To, bool>)
      return value.real() != 0 || value.imag() != 0;
    else if constexpr (std::is_same_v<To, ComplexHalf>)
      return ComplexHalf(std::complex<float>(value));
    else if constexpr (is_complex_type<To>)
      return To(static_cast<typename To::value_type>(value.real()),
                static_cast<typename To::value_type>(value.imag()));
    else
      return convert_element<To>(value.real());
  } else if constexpr (std::is_same_v<To, ComplexHalf>) {
    return ComplexHalf(std::complex<float>(convert_element<float>(value)));
  } else if constexpr (is_complex_type<To>) {
    return To(convert_element<typename To::value_type>(value));
  } else if constexpr (std::is_class_v<From>) {
    return convert_element<To>(static_cast<float>(value));
  } else if constexpr (std::is_class_v<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return to_integer<To>(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <class From, class To>
void convert_loop(const std::byte* from, std::int64_t from_stride, std::byte* to,
                  std::int64_t to_stride, std::int64_t n) {
  if (from_stride == sizeof(From) && to_stride == sizeof(To)) {
    const auto* a = reinterpret_cast<const From*>(from);
    auto* o = reinterpret_cast<To*>(to);
    for (std::int64_t i = 0; i < n; ++i) o[i] = convert_element<To>(a[i]);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    *reinterpret_cast<To*>(to + i * to_stride) =
        convert_element<To>(*reinterpret_cast<const From*>(from + i * from_stride));
}

/// What conversions to and from `T` go by way of: types that need many instructions for it have one
/// loop each way.
template <class T>
struct WideForm {
  using type = T;
};
template <>
struct WideForm<Half> {
  using type = float;
};
template <>
struct WideForm<Float8E4M3FN> {
  using type = float;
};
template <>
struct WideForm<Float8E5M2> {
  using type = float;
};
template <>
struct WideForm<ComplexHalf> {
  using type = std::complex<float>;
};

/// Two conversions, a block after the other; `middle` is the size of an element between them.
[[gnu::noinline]] inline void convert_blocks(ConvertLoop first, ConvertLoop second,
                                             std::int64_t middle, const std::byte* from,
                                             std::int64_t from_stride, std::byte* to,
                                             std::int64_t to_stride, std::int64_t n) {
  alignas(16) std::array<std::byte, 2048> block;
  const std::int64_t step = static_cast<std::int64_t>(block.size()) / middle;
  for (std::int64_t i = 0; i < n; i += step) {
    const std::int64_t m = std::min(step, n - i);
    first(from + i * from_stride, from_stride, block.data(), middle, m);
    second(block.data(), middle, to + i * to_stride, to_stride, m);
  }
}

template <class From, class Middle, class To>
void convert_through(const std::byte* from, std::int64_t from_stride, std::byte* to,
                     std::int64_t to_stride, std::int64_t n) {
  convert_blocks(&convert_loop<From, Middle>, &convert_loop<Middle, To>,
                 static_cast<std::int64_t>(sizeof(Middle)), from, from_stride, to, to_stride, n);
}

/// The loop whose results are those of `convert_element`.
template <class From, class To>
constexpr ConvertLoop conversion() {
  using WideFrom = typename WideForm<From>::type;
  using WideTo = typename WideForm<To>::type;
  if constexpr (!std::is_same_v<From, WideFrom> && !std::is_same_v<To, WideFrom>)
    return &convert_through<From, WideFrom, To>;
  else if constexpr (!std::is_same_v<To, WideTo> && !std::is_same_v<From, WideTo>)
    return &convert_through<From, WideTo, To>;
  else if constexpr (is_complex_type<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>)
    return &convert_through<From, double, To>;
  else if constexpr (std::is_integral_v<From> && is_complex_type<To> && sizeof(To) == 16)
    return &convert_through<From, double, To>;
  else
    return &convert_loop<From, To>;
}

/// Bytes from outside may be other than 0 and 1, so bool is not read as such.
template <class To>
void load_bool_loop(const std::byte* from, std::int64_t from_stride, std::byte* to,
                    std::int64_t to_stride, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    *reinterpret_cast<To*>(to + i * to_stride) =
        To(static_cast<float>(from[i * from_stride] != std::byte{0}));
}

template <class Function>
bool visit_compute(ComputeType type, Function&& function) {
  switch (type) {
    case ComputeType::int64: function(TypeTag<std::int64_t>{}); return true;
    case ComputeType::float32: function(TypeTag<float>{}); return true;
    case ComputeType::float64: function(TypeTag<double>{}); return true;
    case ComputeType::complex128: function(TypeTag<std::complex<double>>{}); return true;
    case ComputeType::boolean: function(TypeTag<bool>{}); return true;
  }
  return false;
}

template <std::size_t Bytes>
void move_elements(const std::byte* from, std::int64_t from_stride, std::byte* to,
                   std::int64_t to_stride, std::int64_t n) {
  constexpr auto size = static_cast<std::int64_t>(Bytes);
  if (from_stride == size && to_stride == size) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * Bytes);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, Bytes);
}

}  // namespace detail

TREADLE_INLINE ConvertLoop load_loop(DType from, ComputeType to) {
  ConvertLoop loop = nullptr;
  detail::visit_compute(to, [&](auto to_tag) {
    using To = typename decltype(to_tag)::type;
    if (from == DType::bool_) {
      loop = &detail::load_bool_loop<To>;
      return;
    }
    if constexpr (!std::is_same_v<To, bool>)
      visit_dtype(from, [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        if constexpr (!std::is_same_v<From, bool>) loop = detail::conversion<From, To>();
      });
  });
  return loop;
}

TREADLE_INLINE ConvertLoop store_loop(ComputeType from, DType to) {
  ConvertLoop loop = nullptr;
  detail::visit_compute(from, [&](auto from_tag) {
    using From = typename decltype(from_tag)::type;
    visit_dtype(to, [&](auto to_tag) {
      loop = detail::conversion<From, typename decltype(to_tag)::type>();
    });
  });
  return loop;
}

TREADLE_INLINE ConvertLoop move_loop(std::size_t bytes) {
  switch (bytes) {
    case 1: return &detail::move_elements<1>;
    case 2: return &detail::move_elements<2>;
    case 4: return &detail::move_elements<4>;
    case 8: return &detail::move_elements<8>;
    case 16: return &detail::move_elements<16>;
    default: return nullptr;
  }
}

}  // namespace treadle::inline v0::cpu
