// Compares arrays element by element.
#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include <treadle/core/dtype_visit.hpp>

namespace tool {
namespace {

using treadle::NpyArray;

/// Walks over real elements: `parts` is 2 for complex arrays.
template <class T>
class Comparer {
 public:
  Comparer(const NpyArray& found, const NpyArray& expected, std::size_t parts)
      : found_(found.data.data()),
        expected_(expected.data.data()),
        count_(static_cast<std::size_t>(treadle::element_count(expected.sizes)) * parts) {}

  Comparison run(Tolerance tolerance) {
    const double slack = tolerance.absolute * std::max(1.0, largest_expected());
    for (std::size_t i = 0; i < count_; ++i) {
      const T x = element(found_, i);
      const T y = element(expected_, i);
      if (same(x, y)) continue;
      const double size = std::abs(static_cast<double>(y));
      const double error = difference(x, y);
      result_.largest_absolute = std::max(result_.largest_absolute, error);
      if (size > 0) result_.largest_relative = std::max(result_.largest_relative, error / size);
      if (!std::isfinite(error) || !(error <= tolerance.relative * size + slack))
        result_.ok = false;
    }
    return result_;
  }

 private:
  static T element(const std::byte* bytes, std::size_t i) {
    T value{};
    std::memcpy(static_cast<void*>(&value), bytes + i * sizeof(T), sizeof(T));
    return value;
  }
  static bool same(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      return x == y;
    } else {
      const auto a = static_cast<double>(x);
      const auto b = static_cast<double>(y);
      return a == b || (std::isnan(a) && std::isnan(b));
    }
  }
  /// Infinite where only one is NaN or infinite; never 0 for integers that differ.
  static double difference(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<double>(
          std::abs(static_cast<long double>(x) - static_cast<long double>(y)));
    } else {
      const double error = std::abs(static_cast<double>(x) - static_cast<double>(y));
      return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
  }
  double largest_expected() const {
    double largest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double size = std::abs(static_cast<double>(element(expected_, i)));
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
    return largest;
  }

  const std::byte* found_;
  const std::byte* expected_;
  std::size_t count_;
  Comparison result_;
};

}  // namespace

Tolerance tolerance_of(treadle::DType dtype) {
  using treadle::DType;
  switch (dtype) {
    case DType::float32:
    case DType::complex64: return {1e-4, 1e-5};
    case DType::float64:
    case DType::complex128: return {1e-7, 1e-7};
    case DType::float16:
    case DType::complex32: return {1e-3, 1e-3};
    default: return is_floating(dtype) ? Tolerance{1.6e-2, 1e-2} : Tolerance{};
  }
}

Tolerance tolerance_of(treadle::DType dtype, std::optional<double> relative,
                       std::optional<double> absolute) {
  Tolerance tolerance = tolerance_of(dtype);
  if (!is_floating(dtype) && !is_complex(dtype)) return tolerance;
  return {relative.value_or(tolerance.relative), absolute.value_or(tolerance.absolute)};
}

Comparison compare(const NpyArray& found, const NpyArray& expected, Tolerance tolerance) {
  Comparison result;
  const bool known = treadle::visit_dtype(expected.dtype, [&]<class T>(treadle::TypeTag<T>) {
    if constexpr (std::is_same_v<T, treadle::ComplexHalf>)
      result = Comparer<treadle::Half>(found, expected, 2).run(tolerance);
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      result = Comparer<float>(found, expected, 2).run(tolerance);
    else if constexpr (std::is_same_v<T, std::complex<double>>)
      result = Comparer<double>(found, expected, 2).run(tolerance);
    else
      result = Comparer<T>(found, expected, 1).run(tolerance);
  });
  if (!known) result.ok = std::ranges::equal(found.data.span(), expected.data.span());
  return result;
}

}  // namespace tool
