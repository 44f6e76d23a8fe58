// Finds NaNs and infinities in tensors.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// Which elements of a tensor are not finite.
struct NonFinite {
  std::size_t nans = 0;
  std::size_t infinities = 0;
  std::int64_t first = -1;  ///< position of the first one, in row-major order
  bool first_is_nan = false;

  [[nodiscard]] bool any() const noexcept { return nans + infinities > 0; }
};

namespace detail {

/// A number as real and imaginary part.
template <class T>
std::array<double, 2> real_parts(T value) {
  if constexpr (std::is_convertible_v<T, double>) {
    return {static_cast<double>(value), 0};
  } else if constexpr (std::is_same_v<T, ComplexHalf>) {
    const std::complex<float> wide(value);
    return {wide.real(), wide.imag()};
  } else {
    return {value.real(), value.imag()};
  }
}

template <class T>
NonFinite count_non_finite(const std::vector<std::byte>& bytes) {
  NonFinite found;
  for (std::size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
    T element{};
    std::memcpy(static_cast<void*>(&element), bytes.data() + i * sizeof(T), sizeof(T));
    bool nan = false;
    bool infinite = false;
    for (const double part : real_parts(element)) {
      nan |= std::isnan(part);
      infinite |= std::isinf(part);
    }
    if (!nan && !infinite) continue;
    if (!found.any()) {
      found.first = static_cast<std::int64_t>(i);
      found.first_is_nan = nan;
    }
    ++(nan ? found.nans : found.infinities);
  }
  return found;
}

}  // namespace detail

/// Counts the NaNs and infinities of a floating or complex tensor; none in others. Copies it.
template <TensorBackend Backend>
[[nodiscard]] Result<NonFinite> find_non_finite(Backend& backend,
                                                const typename Backend::Tensor& tensor) {
  const TensorMeta meta = backend.meta(tensor);
  NonFinite found;
  if (!is_floating(meta.dtype) && !is_complex(meta.dtype)) return found;
  std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype));
  TREADLE_CHECK(backend.copy_to_host(tensor, bytes));
  visit_dtype(meta.dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (!std::is_integral_v<T>) found = detail::count_non_finite<T>(bytes);
  });
  return found;
}

/// `[1, 2]`: where the element at a row-major position is.
[[nodiscard]] inline std::string element_index(const Dims& sizes, std::int64_t position) {
  std::vector<std::int64_t> index(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0;) {
    index[d] = sizes[d] > 0 ? position % sizes[d] : 0;
    position /= sizes[d] > 0 ? sizes[d] : 1;
  }
  return concat(index);
}

/// `NaN at [1, 2] (3 NaN, 1 infinite of 16)`.
[[nodiscard]] inline std::string to_string(const NonFinite& found, const TensorMeta& meta) {
  return concat(found.first_is_nan ? "NaN" : "infinity", " at ",
                element_index(meta.sizes, found.first), " (", found.nans, " NaN, ",
                found.infinities, " infinite of ", element_count(meta), ')');
}

}  // namespace treadle::inline v0
