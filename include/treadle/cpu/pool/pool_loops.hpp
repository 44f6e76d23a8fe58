// Pooling of one plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <treadle/cpu/pool/pool_shape.hpp>
#include <treadle/cpu/reduction/folds.hpp>

namespace treadle::inline v0::cpu::detail {

/// What pooling kernels of one plane get.
struct PoolParameters {
  PoolShape shape;
  bool count_padding = true;
  std::int64_t divisor = 0;  ///< 0: the size of the window
  const simd::VectorReductions* math = nullptr;
};

/// Calls `tap(in_row, k, range)` for every row of the window that lies inside the input, where
/// `range` are the outputs of this row that tap `k` reaches.
template <class Tap>
void for_each_tap(const PoolShape& s, std::int64_t od, std::int64_t oh, const Tap& tap) {
  for (std::int64_t kd = 0; kd < s.kernel[0]; ++kd) {
    if (!s.is_inside(0, od, kd)) continue;
    for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh) {
      if (!s.is_inside(1, oh, kh)) continue;
      const std::int64_t row = s.place(0, od, kd) * s.in[1] + s.place(1, oh, kh);
      for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw) tap(row, kw, s.outputs_of_tap(2, kw));
    }
  }
}

template <class T>
void max_pool_row(const PoolShape& s, const T* in, T* out, std::int64_t od, std::int64_t oh) {
  std::fill_n(out, s.out[2], lowest_value<T>());
  const std::int64_t step = s.stride[2];
  for_each_tap(s, od, oh, [&](std::int64_t row, std::int64_t k, PlaceRange range) {
    const T* const from = in + row * s.in[2] + s.place(2, 0, k);
    for (std::int64_t o = range.begin; o < range.end; ++o) {
      const T x = from[o * step];
      out[o] = x > out[o] || is_not_a_number(x) ? x : out[o];
    }
  });
}

/// The same with the place of each largest element in the plane.
template <class T>
void max_pool_row(const PoolShape& s, const T* in, T* out, std::int64_t* places, std::int64_t od,
                  std::int64_t oh) {
  std::fill_n(out, s.out[2], lowest_value<T>());
  std::fill_n(places, s.out[2], std::int64_t{-1});
  for_each_tap(s, od, oh, [&](std::int64_t row, std::int64_t k, PlaceRange range) {
    for (std::int64_t o = range.begin; o < range.end; ++o) {
      const std::int64_t at = row * s.in[2] + s.place(2, o, k);
      const T x = in[at];
      if (x > out[o] || is_not_a_number(x) || places[o] < 0) {
        out[o] = x;
        places[o] = at;
      }
    }
  });
}

template <class T>
void max_pool_plane(const PoolParameters& p, const T* in, T* out, std::int64_t* places) {
  const PoolShape& s = p.shape;
  for (std::int64_t od = 0; od < s.out[0]; ++od)
    for (std::int64_t oh = 0; oh < s.out[1]; ++oh) {
      const std::int64_t at = (od * s.out[1] + oh) * s.out[2];
      if (places)
        max_pool_row(s, in, out + at, places + at, od, oh);
      else
        max_pool_row(s, in, out + at, od, oh);
    }
}

template <class T>
void average_pool_plane(const PoolParameters& p, const T* in, T* out, std::int64_t*) {
  const PoolShape& s = p.shape;
  const std::int64_t step = s.stride[2];
  for (std::int64_t od = 0; od < s.out[0]; ++od)
    for (std::int64_t oh = 0; oh < s.out[1]; ++oh, out += s.out[2]) {
      std::fill_n(out, s.out[2], T{});
      for_each_tap(s, od, oh, [&](std::int64_t row, std::int64_t k, PlaceRange range) {
        const T* const from = in + row * s.in[2] + s.place(2, 0, k);
        for (std::int64_t o = range.begin; o < range.end; ++o) out[o] += from[o * step];
      });
      const std::int64_t rows =
          s.counted(0, od, p.count_padding) * s.counted(1, oh, p.count_padding);
      for (std::int64_t o = 0; o < s.out[2]; ++o) {
        const std::int64_t count =
            p.divisor != 0 ? p.divisor : rows * s.counted(2, o, p.count_padding);
        out[o] = out[o] / static_cast<T>(count);
      }
    }
}

/// Calls `cell(out_index, ranges)` for every output of an adaptive pooling.
template <class Cell>
void for_each_cell(const PoolShape& s, const Cell& cell) {
  std::int64_t at = 0;
  for (std::int64_t od = 0; od < s.out[0]; ++od)
    for (std::int64_t oh = 0; oh < s.out[1]; ++oh)
      for (std::int64_t ow = 0; ow < s.out[2]; ++ow)
        cell(at++, s.adaptive_range(0, od), s.adaptive_range(1, oh), s.adaptive_range(2, ow));
}

template <class T>
void adaptive_average_plane(const PoolParameters& p, const T* in, T* out, std::int64_t*) {
  const PoolShape& s = p.shape;
  ReduceParameters reduce;
  reduce.math = p.math;
  for_each_cell(s, [&](std::int64_t o, PlaceRange d, PlaceRange h, PlaceRange w) {
    Wide<T> sum{};
    if (s.out_size() == 1) {
      sum = sum_of(reduce, in, s.in_size());
    } else {
      for (std::int64_t i = d.begin; i < d.end; ++i)
        for (std::int64_t j = h.begin; j < h.end; ++j)
          for (std::int64_t k = w.begin; k < w.end; ++k)
            sum += static_cast<Wide<T>>(in[(i * s.in[1] + j) * s.in[2] + k]);
    }
    out[o] = static_cast<T>(sum / static_cast<Wide<T>>(d.size() * h.size() * w.size()));
  });
}

template <class T>
void adaptive_max_plane(const PoolParameters& p, const T* in, T* out, std::int64_t* places) {
  const PoolShape& s = p.shape;
  for_each_cell(s, [&](std::int64_t o, PlaceRange d, PlaceRange h, PlaceRange w) {
    T best = lowest_value<T>();
    std::int64_t place = -1;
    for (std::int64_t i = d.begin; i < d.end; ++i)
      for (std::int64_t j = h.begin; j < h.end; ++j)
        for (std::int64_t k = w.begin; k < w.end; ++k) {
          const std::int64_t at = (i * s.in[1] + j) * s.in[2] + k;
          const T x = in[at];
          if (!(x > best || is_not_a_number(x) || place < 0)) continue;
          best = x;
          place = at;
        }
    out[o] = best;
    if (places) places[o] = place;
  });
}

}  // namespace treadle::inline v0::cpu::detail
