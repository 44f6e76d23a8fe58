// Which input positions an output position of one axis is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <treadle/core/clamped_integer.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/table_memory.hpp>

namespace treadle::inline v0::cpu {

enum class Resampling : std::uint8_t { nearest, nearest_exact, linear, cubic };

/// What decides about one axis of a resampling.
struct ResampleRequest {
  std::int64_t in = 1, out = 1;
  std::optional<double> scale;  ///< output per input, where given
  Resampling method = Resampling::nearest;
  bool align_corners = false;
  bool antialias = false;
  bool exact_ratio = false;  ///< `nearest` by whole numbers where sizes are equal or doubled
};

/// Positions and weights, `taps` of each for every output position, computed in `T` as PyTorch
/// does.
struct ResampleAxis {
  std::int64_t in = 1, out = 1, taps = 1;
  std::vector<std::int64_t> positions;
  std::vector<double> weights;
  std::vector<float> weights_f32;

  template <class T>
  [[nodiscard]] const T* typed_weights() const noexcept {
    if constexpr (sizeof(T) == sizeof(float))
      return weights_f32.data();
    else
      return weights.data();
  }
};

namespace detail {

template <class T>
T resample_scale(const ResampleRequest& r) {
  if (r.align_corners)
    return r.out > 1 ? static_cast<T>(r.in - 1) / static_cast<T>(r.out - 1) : T{0};
  if (r.scale && *r.scale > 0) return static_cast<T>(1.0 / *r.scale);
  return static_cast<T>(r.in) / static_cast<T>(r.out);
}

inline std::int64_t nearest_position(const ResampleRequest& r, std::int64_t i) {
  const float scale = resample_scale<float>(r);
  if (r.method == Resampling::nearest) {
    if (r.exact_ratio && r.out == r.in) return i;
    if (r.exact_ratio && r.out == 2 * r.in) return i >> 1;
    return clamped_integer(std::floor(static_cast<float>(i) * scale), 0, r.in - 1);
  }
  return clamped_integer(std::floor((static_cast<float>(i) + 0.5F) * scale), 0, r.in - 1);
}

/// Keys' cubic convolution kernel (1981) with parameter `a`.
template <class T>
T cubic_weight(T x, T a) {
  x = std::abs(x);
  if (x <= T{1}) return ((a + T{2}) * x - (a + T{3})) * x * x + T{1};
  if (x < T{2}) return ((a * x - T{5} * a) * x + T{8} * a) * x - T{4} * a;
  return T{0};
}

template <class T>
void interpolate(const ResampleRequest& r, ResampleAxis& axis) {
  const T scale = resample_scale<T>(r);
  const bool cubic = r.method == Resampling::cubic;
  for (std::int64_t i = 0; i < r.out; ++i) {
    T at =
        r.align_corners ? scale * static_cast<T>(i) : scale * (static_cast<T>(i) + T{0.5}) - T{0.5};
    if (!cubic) {
      if (at < T{0}) at = T{0};
      if (r.in == r.out) at = static_cast<T>(i);
      const std::int64_t low = clamped_integer(at, 0, r.in - 1);
      const T share = std::clamp(at - static_cast<T>(low), T{0}, T{1});
      axis.positions.insert(axis.positions.end(), {low, std::min(low + 1, r.in - 1)});
      axis.weights.insert(axis.weights.end(),
                          {static_cast<double>(T{1} - share), static_cast<double>(share)});
      continue;
    }
    const T floor = std::floor(at);
    const std::int64_t low = clamped_integer(floor, -4, r.in + 4);
    for (std::int64_t tap = -1; tap <= 2; ++tap) {
      axis.positions.push_back(std::clamp<std::int64_t>(low + tap, 0, r.in - 1));
      axis.weights.push_back(static_cast<double>(
          cubic_weight<T>(at - floor - static_cast<T>(tap), static_cast<T>(-0.75))));
    }
  }
}

/// How far around its centre an output position of `antialias` looks.
template <class T>
T antialias_reach(const ResampleRequest& r) {
  return (r.method == Resampling::cubic ? T{2} : T{1}) * std::max(resample_scale<T>(r), T{1});
}

/// Weights over everything that falls into an output position.
template <class T>
void antialias(const ResampleRequest& r, ResampleAxis& axis) {
  const T scale = resample_scale<T>(r);
  const bool cubic = r.method == Resampling::cubic;
  const T reach = antialias_reach<T>(r);
  const T shrink = scale >= T{1} ? T{1} / scale : T{1};
  for (std::int64_t i = 0; i < r.out; ++i) {
    const T center = scale * (static_cast<T>(i) + T{0.5});
    const std::int64_t first = clamped_integer(center - reach + T{0.5}, 0, r.in);
    const std::int64_t last = clamped_integer(center + reach + T{0.5}, 0, r.in);
    std::vector<T> weights(static_cast<std::size_t>(axis.taps), T{0});
    T total = 0;
    for (std::int64_t j = first; j < std::min(last, first + axis.taps); ++j) {
      const T x = (static_cast<T>(j) - center + T{0.5}) * shrink;
      const T weight = cubic ? cubic_weight<T>(x, T{-0.5}) : std::max(T{0}, T{1} - std::abs(x));
      total += weights[static_cast<std::size_t>(j - first)] = weight;
    }
    for (std::int64_t tap = 0; tap < axis.taps; ++tap) {
      const T weight = weights[static_cast<std::size_t>(tap)];
      axis.positions.push_back(std::clamp<std::int64_t>(first + tap, 0, r.in - 1));
      axis.weights.push_back(static_cast<double>(total != T{0} ? weight / total : weight));
    }
  }
}

/// Input positions of every output position, no more than there are.
template <class T>
std::int64_t tap_count(const ResampleRequest& r) {
  if (r.method == Resampling::nearest || r.method == Resampling::nearest_exact) return 1;
  if (!r.antialias) return r.method == Resampling::cubic ? 4 : 2;
  const std::int64_t reach = clamped_integer(std::ceil(antialias_reach<T>(r)), 1, r.in);
  return std::clamp<std::int64_t>(2 * reach + 1, 1, std::max<std::int64_t>(r.in, 1));
}

}  // namespace detail

/// Computes the table of an axis; `T` is float, or double for float64 tensors. Error:
/// `out_of_memory`.
template <class T>
[[nodiscard]] Result<ResampleAxis> make_resample_axis(const ResampleRequest& request) {
  ResampleAxis axis;
  axis.in = request.in;
  axis.out = request.out;
  axis.taps = detail::tap_count<T>(request);
  std::int64_t entries = 0;
  if (__builtin_mul_overflow(request.out, axis.taps, &entries) ||
      !has_memory_for(entries, sizeof(std::int64_t) + sizeof(double) + sizeof(float)))
    return Error(ErrorCode::out_of_memory,
                 concat("no memory for the tables of ", request.out, " output positions"));
  axis.positions.reserve(static_cast<std::size_t>(entries));
  axis.weights.reserve(static_cast<std::size_t>(entries));
  if (request.method == Resampling::nearest || request.method == Resampling::nearest_exact) {
    for (std::int64_t i = 0; i < request.out; ++i) {
      axis.positions.push_back(detail::nearest_position(request, i));
      axis.weights.push_back(1);
    }
  } else if (request.antialias) {
    detail::antialias<T>(request, axis);
  } else {
    detail::interpolate<T>(request, axis);
  }
  axis.weights_f32.assign(axis.weights.size(), 0.0F);
  std::transform(axis.weights.begin(), axis.weights.end(), axis.weights_f32.begin(),
                 [](double w) { return static_cast<float>(w); });
  return axis;
}

}  // namespace treadle::inline v0::cpu
