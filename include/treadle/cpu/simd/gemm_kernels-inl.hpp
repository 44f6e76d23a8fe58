// The micro-kernels of matrix multiplication for one target.
#if defined(TREADLE_CPU_SIMD_GEMM_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TREADLE_CPU_SIMD_GEMM_KERNELS_INL
#undef TREADLE_CPU_SIMD_GEMM_KERNELS_INL
#else
#define TREADLE_CPU_SIMD_GEMM_KERNELS_INL
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/gemm_tile.hpp>
#include <treadle/cpu/simd/partial-inl.hpp>
#include <treadle/cpu/simd/target.hpp>

HWY_BEFORE_NAMESPACE();
namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Without vectors of its own a target gets plain loops that the compiler vectorises.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define TREADLE_GEMM_PLAIN 1
template <class T>
inline constexpr std::int64_t vector_columns = 16 / static_cast<std::int64_t>(sizeof(T));
inline constexpr std::size_t max_rows = 4;
#else
#define TREADLE_GEMM_PLAIN 0
template <class T>
inline constexpr std::int64_t vector_columns =
    static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
inline constexpr std::size_t max_rows = HWY_TARGET == HWY_AVX2 ? 6 : 12;
#endif

/// Applies the epilogue to one vector of sums that belong to row `r`, columns from `j`.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> finish(D d, hn::Vec<D> sum, hn::Vec<D> old, hn::Vec<D> bias,
                             const GemmTile<T>& t, std::int64_t r) {
  auto x = hn::Mul(sum, hn::Set(d, t.alpha));
  if (t.beta != T{0}) x = hn::MulAdd(hn::Set(d, t.beta), old, x);
  if (t.row_bias) x = hn::Add(x, hn::Set(d, t.row_bias[r]));
  if (t.column_bias) x = hn::Add(x, bias);
  if (t.has_bounds) {
    const auto low = hn::Set(d, t.low);
    const auto high = hn::Set(d, t.high);
    x = hn::IfThenElse(hn::Lt(x, low), low, x);
    x = hn::IfThenElse(hn::Gt(x, high), high, x);
  }
  return x;
}

/// Stores `rows` × `t.columns` sums, `stride` apart, through the epilogue.
template <class T>
HWY_NOINLINE void store_tile(const GemmTile<T>& t, const T* sums, std::int64_t rows,
                             std::int64_t stride) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* from = sums + r * stride;
    T* to = t.c + r * t.c_row;
    std::int64_t j = 0;
    for (; j + lanes <= t.columns; j += lanes) {
      const auto old = t.beta != T{0} ? hn::LoadU(d, to + j) : zero;
      const auto bias = t.column_bias ? hn::LoadU(d, t.column_bias + j) : zero;
      hn::StoreU(finish(d, hn::LoadU(d, from + j), old, bias, t, r), d, to + j);
    }
    if (const auto rest = static_cast<std::size_t>(t.columns - j); rest != 0) {
      const auto old = t.beta != T{0} ? load_first(d, to + j, rest) : zero;
      const auto bias = t.column_bias ? load_first(d, t.column_bias + j, rest) : zero;
      store_first(finish(d, load_first(d, from + j, rest), old, bias, t, r), d, to + j, rest);
    }
  }
}

#if TREADLE_GEMM_PLAIN

template <class T, std::size_t Rows, std::size_t Vectors>
void gemm_tile(const GemmTile<T>& t) {
  constexpr auto columns = static_cast<std::size_t>(vector_columns<T>) * Vectors;
  alignas(16) T sums[Rows][columns] = {};
  const T* a = t.a;
  const T* b = t.b;
  for (std::int64_t k = 0; k < t.depth; ++k, a += t.a_depth, b += t.b_step)
    for (std::size_t r = 0; r < Rows; ++r) {
      const T x = a[static_cast<std::int64_t>(r) * t.a_row];
      for (std::size_t j = 0; j < columns; ++j) sums[r][j] += x * b[j];
    }
  store_tile(t, &sums[0][0], static_cast<std::int64_t>(Rows), static_cast<std::int64_t>(columns));
}

#else

template <class D, std::size_t Rows, std::size_t Vectors>
struct Accumulators {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  V sums[Rows * Vectors];

  template <std::size_t Row, std::size_t... Column>
  HWY_INLINE void add_row(V a, const V (&b)[Vectors], std::index_sequence<Column...>) {
    ((sums[Row * Vectors + Column] = hn::MulAdd(a, b[Column], sums[Row * Vectors + Column])), ...);
  }
  template <std::size_t... Row>
  HWY_INLINE void add(D d, const T* const (&a)[(Rows + 2) / 3], std::int64_t row,
                      const V (&b)[Vectors], std::index_sequence<Row...>) {
    (add_row<Row>(hn::Set(d, a[Row / 3][static_cast<std::int64_t>(Row % 3) * row]), b,
                  std::make_index_sequence<Vectors>()),
     ...);
  }
  template <std::size_t... I>
  HWY_INLINE void clear(D d, std::index_sequence<I...>) {
    ((sums[I] = hn::Zero(d)), ...);
  }
  template <std::size_t... I>
  HWY_INLINE void join(const Accumulators& other, std::index_sequence<I...>) {
    ((sums[I] = hn::Add(sums[I], other.sums[I])), ...);
  }
  template <std::size_t... I>
  HWY_INLINE void store(D d, T* out, std::index_sequence<I...>) const {
    (hn::Store(sums[I], d, out + I * static_cast<std::size_t>(vector_columns<T>)), ...);
  }
  static HWY_INLINE T* place(T* c, std::int64_t row, std::size_t i) {
    return c + static_cast<std::int64_t>(i / Vectors) * row +
           static_cast<std::int64_t>(i % Vectors) * vector_columns<T>;
  }
  /// Stores whole rows of C, added to what is there if `adds`.
  template <std::size_t... I>
  HWY_INLINE void store_rows(D d, T* c, std::int64_t row, bool adds,
                             std::index_sequence<I...>) const {
    if (adds)
      (hn::StoreU(hn::Add(sums[I], hn::LoadU(d, place(c, row, I))), d, place(c, row, I)), ...);
    else
      (hn::StoreU(sums[I], d, place(c, row, I)), ...);
  }
};

template <class D, std::size_t Rows, std::size_t Vectors, std::size_t... Column,
          std::size_t... Base>
HWY_INLINE void gemm_step(D d, Accumulators<D, Rows, Vectors>& sums,
                          const hn::TFromD<D>* (&a)[(Rows + 2) / 3], std::int64_t row,
                          std::int64_t step, const hn::TFromD<D>* b, std::index_sequence<Column...>,
                          std::index_sequence<Base...>) {
  const hn::Vec<D> columns[Vectors] = {
      hn::LoadU(d, b + Column * static_cast<std::size_t>(vector_columns<hn::TFromD<D>>))...};
  sums.add(d, a, row, columns, std::make_index_sequence<Rows>());
  ((a[Base] += step), ...);
}

/// Whether a tile of `columns` is stored or added as it is.
template <class T>
HWY_INLINE bool is_plain(const GemmTile<T>& t, std::int64_t columns) {
  return t.columns == columns && t.alpha == T{1} && (t.beta == T{0} || t.beta == T{1}) &&
         !t.row_bias && !t.column_bias && !t.has_bounds;
}

/// The product of `Rows` rows and `Vectors` vectors of columns, sums in registers. Few sums take
/// two depths at a time, so that the additions do not wait for each other.
template <class T, std::size_t Rows, std::size_t Vectors>
void gemm_tile(const GemmTile<T>& t) {
  using D = hn::ScalableTag<T>;
  const D d;
  constexpr std::size_t count = Rows * Vectors;
  constexpr std::size_t bases = (Rows + 2) / 3;
  constexpr std::size_t ways = count >= 6 ? 1 : count >= 3 ? 2 : 4;
  const auto all = std::make_index_sequence<count>();
  const auto columns = std::make_index_sequence<Vectors>();
  const auto base = std::make_index_sequence<bases>();
  Accumulators<D, Rows, Vectors> sums;
  sums.clear(d, all);
  for (std::size_t r = 0; r < Rows; ++r) {  // C is wanted when the sums are done
    const T* c = t.c + static_cast<std::int64_t>(r) * t.c_row;
    hwy::Prefetch(c);
    if constexpr (Vectors == 2) hwy::Prefetch(c + vector_columns<T>);
  }
  const T* a[bases];
  for (std::size_t i = 0; i < bases; ++i) a[i] = t.a + static_cast<std::int64_t>(i) * 3 * t.a_row;
  const T* b = t.b;
  const std::int64_t row = t.a_row, step = t.a_depth, b_step = t.b_step;
  std::int64_t k = t.depth;
  if constexpr (ways == 4) {
    Accumulators<D, Rows, Vectors> s1 = sums, s2 = sums, s3 = sums;
    for (; k >= 4; k -= 4, b += 4 * b_step) {
      gemm_step<D, Rows, Vectors>(d, sums, a, row, step, b, columns, base);
      gemm_step<D, Rows, Vectors>(d, s1, a, row, step, b + b_step, columns, base);
      gemm_step<D, Rows, Vectors>(d, s2, a, row, step, b + 2 * b_step, columns, base);
      gemm_step<D, Rows, Vectors>(d, s3, a, row, step, b + 3 * b_step, columns, base);
    }
    sums.join(s1, all);
    s2.join(s3, all);
    sums.join(s2, all);
  } else if constexpr (ways == 2) {
    Accumulators<D, Rows, Vectors> s1 = sums;
    for (; k >= 2; k -= 2, b += 2 * b_step) {
      gemm_step<D, Rows, Vectors>(d, sums, a, row, step, b, columns, base);
      gemm_step<D, Rows, Vectors>(d, s1, a, row, step, b + b_step, columns, base);
    }
    sums.join(s1, all);
  }
  for (; k > 0; --k, b += b_step)
    gemm_step<D, Rows, Vectors>(d, sums, a, row, step, b, columns, base);
  // Tiles at the edges take the way through memory: they are few, but of many sizes.
  if constexpr (Vectors == 2 && (Rows == max_rows || Rows % 4 == 0))
    if (is_plain(t, static_cast<std::int64_t>(Vectors) * vector_columns<T>))
      return sums.store_rows(d, t.c, t.c_row, t.beta != T{0}, all);
  HWY_ALIGN T out[count * static_cast<std::size_t>(vector_columns<T>)];
  sums.store(d, out, all);
  store_tile(t, out, static_cast<std::int64_t>(Rows),
             static_cast<std::int64_t>(Vectors) * vector_columns<T>);
}

#endif

/// Sums of products along the depth of some rows of A and one group of four columns of B.
template <class T>
HWY_INLINE void dot_group(const GemmTile<T>& t, std::int64_t rows, std::int64_t j, T* sums,
                          std::int64_t stride) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* b[4];
  for (std::int64_t i = 0; i < 4; ++i)
    b[i] = t.b + std::min(j + i, t.columns - 1) * t.b_step;  // repeats the last column
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* a = t.a + r * t.a_row;
    V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    std::int64_t k = 0;
    for (; k + lanes <= t.depth; k += lanes) {
      const V x = hn::LoadU(d, a + k);
      s0 = hn::MulAdd(x, hn::LoadU(d, b[0] + k), s0);
      s1 = hn::MulAdd(x, hn::LoadU(d, b[1] + k), s1);
      s2 = hn::MulAdd(x, hn::LoadU(d, b[2] + k), s2);
      s3 = hn::MulAdd(x, hn::LoadU(d, b[3] + k), s3);
    }
    if (const auto rest = static_cast<std::size_t>(t.depth - k); rest != 0) {
      const V x = load_first(d, a + k, rest);
      s0 = hn::MulAdd(x, load_first(d, b[0] + k, rest), s0);
      s1 = hn::MulAdd(x, load_first(d, b[1] + k, rest), s1);
      s2 = hn::MulAdd(x, load_first(d, b[2] + k, rest), s2);
      s3 = hn::MulAdd(x, load_first(d, b[3] + k, rest), s3);
    }
    T* out = sums + r * stride + j;
    out[0] = hn::GetLane(hn::SumOfLanes(d, s0));
    out[1] = hn::GetLane(hn::SumOfLanes(d, s1));
    out[2] = hn::GetLane(hn::SumOfLanes(d, s2));
    out[3] = hn::GetLane(hn::SumOfLanes(d, s3));
  }
}

template <class T>
void dot_tile(const GemmTile<T>& t, std::int64_t rows) {
  constexpr std::int64_t width = std::max<std::int64_t>(2 * vector_columns<T>, 4);
  alignas(64) T sums[GemmKernels<T>::max_dot_rows * width];
  for (std::int64_t j = 0; j < t.columns; j += 4) dot_group(t, rows, j, sums, width);
  store_tile(t, sums, rows, width);
}

/// The squares that `transpose_panel` turns by vectors: four rows of four floats.
#if TREADLE_GEMM_PLAIN
template <class T>
inline constexpr std::int64_t square_side = 1;
template <class T>
HWY_INLINE void transpose_square(const T* in, std::int64_t, std::int64_t, T* out) {
  *out = *in;
}
#else
template <class T>
inline constexpr std::int64_t square_side = sizeof(T) == 4 ? 4 : 2;

HWY_INLINE void transpose_square(const float* in, std::int64_t stride, std::int64_t width,
                                 float* out) {
  const hn::FixedTag<float, 4> d;
  const auto r0 = hn::LoadU(d, in), r1 = hn::LoadU(d, in + stride);
  const auto r2 = hn::LoadU(d, in + 2 * stride), r3 = hn::LoadU(d, in + 3 * stride);
  const auto even_low = hn::InterleaveLower(d, r0, r2), odd_low = hn::InterleaveLower(d, r1, r3);
  const auto even_high = hn::InterleaveUpper(d, r0, r2), odd_high = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, even_low, odd_low), d, out);
  hn::StoreU(hn::InterleaveUpper(d, even_low, odd_low), d, out + width);
  hn::StoreU(hn::InterleaveLower(d, even_high, odd_high), d, out + 2 * width);
  hn::StoreU(hn::InterleaveUpper(d, even_high, odd_high), d, out + 3 * width);
}
HWY_INLINE void transpose_square(const double* in, std::int64_t stride, std::int64_t width,
                                 double* out) {
  const hn::FixedTag<double, 2> d;
  const auto r0 = hn::LoadU(d, in), r1 = hn::LoadU(d, in + stride);
  hn::StoreU(hn::InterleaveLower(d, r0, r1), d, out);
  hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, out + width);
}
#endif

/// See `GemmKernels::transpose`. Sixteen depths at a time, so that the panel's lines stay near.
template <class T>
void transpose_panel(const T* in, std::int64_t stride, std::int64_t count, std::int64_t depth,
                     std::int64_t width, T* out) {
  constexpr std::int64_t side = square_side<T>, chunk = 16;
  const std::int64_t whole = count / side * side;
  for (std::int64_t k = 0; k < depth; k += chunk) {
    const std::int64_t end = std::min(k + chunk, depth);
    const std::int64_t squares = k + (end - k) / side * side;
    for (std::int64_t f = 0; f < whole; f += side) {
      const T* from = in + f * stride;
      for (std::int64_t i = k; i < squares; i += side)
        transpose_square(from + i, stride, width, out + i * width + f);
      for (std::int64_t i = squares; i < end; ++i)
        for (std::int64_t r = 0; r < side; ++r) out[i * width + f + r] = from[r * stride + i];
    }
    for (std::int64_t f = whole; f < count; ++f)
      for (std::int64_t i = k; i < end; ++i) out[i * width + f] = in[f * stride + i];
    for (std::int64_t i = k; i < end; ++i)
      for (std::int64_t f = count; f < width; ++f) out[i * width + f] = T{0};
  }
}

/// See `GemmKernels::copy`.
template <class T>
void copy_panel(const T* in, std::int64_t stride, std::int64_t count, std::int64_t depth,
                std::int64_t width, T* out) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t k = 0; k < depth; ++k, in += stride, out += width) {
    std::int64_t f = 0;
    if (k + 8 < depth)  // rows lie apart: the hardware does not see the next one coming
      for (; f < count; f += lanes) hwy::Prefetch(in + 8 * stride + f);
    f = 0;
    for (; f + lanes <= count; f += lanes) hn::StoreU(hn::LoadU(d, in + f), d, out + f);
    for (; f < count; ++f) out[f] = in[f];
    for (; f < width; ++f) out[f] = T{0};
  }
}

template <class T, std::size_t... Row>
constexpr GemmKernels<T> make_gemm_kernels(std::index_sequence<Row...>) {
  GemmKernels<T> table;
  table.max_rows = static_cast<std::int64_t>(sizeof...(Row));
  table.vector_columns = vector_columns<T>;
  table.panel_columns = 2 * vector_columns<T>;
  ((table.tile[Row] = {&gemm_tile<T, Row + 1, 1>, &gemm_tile<T, Row + 1, 2>}), ...);
  table.dot = &dot_tile<T>;
  table.transpose = &transpose_panel<T>;
  table.copy = &copy_panel<T>;
  return table;
}

template <class T>
inline constexpr GemmKernels<T> gemm_kernels =
    make_gemm_kernels<T>(std::make_index_sequence<max_rows>());

#undef TREADLE_GEMM_PLAIN

}  // namespace treadle::inline v0::cpu::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE && defined(HWY_TARGET_INCLUDE)
#include <treadle/cpu/simd/gemm_kernels.hpp>

namespace treadle::inline v0::cpu::simd {

namespace detail {
template <class T>
const GemmKernels<T>& find_gemm_kernels(Target target) noexcept {
#if HWY_TARGETS & HWY_AVX3
  if (target == Target::avx512) return N_AVX3::gemm_kernels<T>;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target >= Target::avx2) return N_AVX2::gemm_kernels<T>;
#endif
  static_cast<void>(target);
  return HWY_STATIC_DISPATCH(gemm_kernels<T>);
}
}  // namespace detail

TREADLE_INLINE const GemmKernels<float>& gemm_kernels_f32(Target target) noexcept {
  return detail::find_gemm_kernels<float>(target);
}
TREADLE_INLINE const GemmKernels<double>& gemm_kernels_f64(Target target) noexcept {
  return detail::find_gemm_kernels<double>(target);
}

}  // namespace treadle::inline v0::cpu::simd
#endif

#endif
