// Matrix multiplication against a naive loop.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <random>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/gemm/gemm.hpp>

namespace {

using namespace treadle;
using namespace treadle::cpu;

template <class T>
struct Matrix {
  std::int64_t row_stride = 0, column_stride = 1;
  std::vector<T> data;
};

/// Random rows × columns elements; the buffer ends with the last element.
template <class T>
Matrix<T> random_matrix(std::int64_t rows, std::int64_t columns, bool transposed, std::int64_t gap,
                        std::mt19937& random) {
  Matrix<T> matrix;
  matrix.row_stride = transposed ? 1 : columns + gap;
  matrix.column_stride = transposed ? rows + gap : 1;
  const std::int64_t size = rows * columns == 0 ? 0
                                                : (rows - 1) * matrix.row_stride +
                                                      (columns - 1) * matrix.column_stride + 1;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto value = static_cast<int>(random() % 15) - 7;
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      matrix.data.push_back(T(static_cast<typename T::value_type>(value),
                              static_cast<typename T::value_type>(i % 3)));
    else if constexpr (std::is_integral_v<T>)
      matrix.data.push_back(static_cast<T>(value));
    else
      matrix.data.push_back(static_cast<T>(static_cast<float>(value)));
  }
  return matrix;
}

struct Case {
  std::int64_t m, n, k;
  bool transposed_a = false, transposed_b = false;
  std::int64_t gap = 0;
  bool packed_a = false, packed_b = false;
  bool row_bias = false, column_bias = false;
  int alpha = 1, beta = 0;
  Activation activation = Activation::none;
  bool transposed_c = false;
};

/// Memory aligned as the plan wants, of exactly the size it asks for.
struct Workspace {
  explicit Workspace(std::size_t bytes)
      : size(bytes), data(bytes == 0 ? nullptr : ::operator new(bytes, alignment)) {}
  ~Workspace() { ::operator delete(data, alignment); }
  Workspace(const Workspace&) = delete;
  static constexpr std::align_val_t alignment{gemm_alignment};
  std::size_t size;
  void* data;
};

template <class T>
inline constexpr bool is_complex_number =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
/// What sums are exact in.
template <class T>
using Number = std::conditional_t<is_complex_number<T>, std::complex<double>, double>;

template <class T>
Number<T> as_number(T x) {
  if constexpr (is_complex_number<T>)
    return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<double>(x));
}

template <class T>
Number<T> expected_element(const Case& c, const Matrix<T>& a, const Matrix<T>& b, T old, T bias,
                           std::int64_t i, std::int64_t j) {
  Number<T> sum = 0;
  // Matrices without elements have no address to count from.
  const auto at = [](const Matrix<T>& matrix, std::int64_t row, std::int64_t column) {
    return as_number(matrix.data[static_cast<std::size_t>(row * matrix.row_stride +
                                                          column * matrix.column_stride)]);
  };
  for (std::int64_t k = 0; k < c.k; ++k) sum += at(a, i, k) * at(b, k, j);
  sum = sum * static_cast<double>(c.alpha) + as_number(bias);
  if (c.beta != 0) sum += static_cast<double>(c.beta) * as_number(old);
  if constexpr (!is_complex_number<T>) {
    if (c.activation == Activation::relu) sum = std::max(sum, 0.0);
    if (c.activation == Activation::clamp) sum = std::clamp(sum, -3.0, 6.0);
  }
  return sum;
}

/// Runs one case for one target; small integers keep every sum exact.
template <class T>
void check(const Case& c, simd::Target target, ParallelFor parallel_for = {}) {
  std::mt19937 random(7);
  const auto a = random_matrix<T>(c.m, c.k, c.transposed_a, c.gap, random);
  const auto b = random_matrix<T>(c.k, c.n, c.transposed_b, c.gap, random);
  auto out = random_matrix<T>(c.m, c.n, c.transposed_c, c.gap, random);
  const auto row_bias = random_matrix<T>(1, c.m, false, 0, random);
  const auto column_bias = random_matrix<T>(1, c.n, false, 0, random);
  const auto before = out;
  const GemmPlan plan =
      make_gemm_plan(dtype_of<T>(), c.m, c.n, c.k, {c.packed_a, c.packed_b, target});
  REQUIRE(plan.is_supported);
  GemmOperand left{a.data.data(), a.row_stride, a.column_stride};
  GemmOperand right{b.data.data(), b.row_stride, b.column_stride};
  const Workspace scratch(plan.scratch_bytes);
  const Workspace packed_left(c.packed_a ? packed_a_bytes(plan) : 0);
  const Workspace packed_right(c.packed_b ? packed_b_bytes(plan) : 0);
  if (c.packed_a)
    pack_a(plan, left, packed_left.data), left = GemmOperand::packed(packed_left.data);
  if (c.packed_b)
    pack_b(plan, right, packed_right.data), right = GemmOperand::packed(packed_right.data);
  GemmEpilogue epilogue;
  epilogue.alpha = c.alpha;
  epilogue.beta = c.beta;
  epilogue.row_bias = c.row_bias ? row_bias.data.data() : nullptr;
  epilogue.column_bias = c.column_bias ? column_bias.data.data() : nullptr;
  epilogue.activation = c.activation;
  epilogue.low = -3;
  epilogue.high = 6;
  gemm(plan, left, right, out.data.data(), out.row_stride, out.column_stride, epilogue,
       scratch.data, parallel_for);
  std::size_t wrong = 0;
  for (std::int64_t i = 0; i < c.m; ++i)
    for (std::int64_t j = 0; j < c.n; ++j) {
      const auto at = static_cast<std::size_t>(i * out.row_stride + j * out.column_stride);
      const T bias = c.row_bias      ? row_bias.data[static_cast<std::size_t>(i)]
                     : c.column_bias ? column_bias.data[static_cast<std::size_t>(j)]
                                     : T{};
      const auto expected = expected_element(c, a, b, before.data[at], bias, i, j);
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
        if (static_cast<float>(out.data[at]) != static_cast<float>(T(static_cast<float>(expected))))
          ++wrong;
      } else if constexpr (std::is_integral_v<T>) {
        if (out.data[at] != static_cast<T>(static_cast<std::int64_t>(expected))) ++wrong;
      } else if (as_number(out.data[at]) != expected) {
        ++wrong;
      }
    }
  CAPTURE(c.m);
  CAPTURE(c.n);
  CAPTURE(c.k);
  CAPTURE(c.transposed_a);
  CAPTURE(c.transposed_b);
  CAPTURE(static_cast<int>(target));
  CHECK(wrong == 0);
  for (std::size_t i = 0; c.gap > 0 && i < out.data.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const bool inside = (c.transposed_c ? at % out.column_stride : at % out.row_stride) <
                        (c.transposed_c ? c.m : c.n);
    if (!inside && out.data[i] != before.data[i]) ++wrong;
  }
  CHECK_MESSAGE(wrong == 0, "elements between the rows of C stay");
}

std::vector<simd::Target> targets() {
  std::vector<simd::Target> all = {simd::Target::baseline};
  const auto best = simd::detect();
  if (best == simd::Target::avx512) all.push_back(simd::Target::avx2);
  if (best != simd::Target::baseline) all.push_back(best);
  return all;
}

/// Runs pieces from the last to the first, each as small as `grain` allows.
void run_backwards(void*, std::int64_t count, std::int64_t grain, ParallelFor::Range range) {
  for (std::int64_t begin = (count - 1) / grain * grain; begin >= 0; begin -= grain)
    range(begin, std::min(begin + grain, count));
}

template <class T>
void sweep_shapes() {
  for (const auto target : targets())
    for (const std::int64_t m : {1, 2, 3, 4, 5, 7, 12, 13, 29})
      for (const std::int64_t n : {1, 5, 16, 17, 33, 150})
        for (const std::int64_t k : {0, 1, 3, 18})
          for (int layout = 0; layout < 4; ++layout)
            check<T>({.m = m,
                      .n = n,
                      .k = k,
                      .transposed_a = (layout & 1) != 0,
                      .transposed_b = (layout & 2) != 0,
                      .gap = (m + n) % 3},
                     target);
}

}  // namespace

TEST_CASE("products of every small shape and layout are exact") {
  sweep_shapes<float>();
  sweep_shapes<double>();
}

TEST_CASE("packed operands and every epilogue give the same product") {
  for (const auto target : targets())
    for (int bits = 0; bits < 64; ++bits)
      for (const std::int64_t m : {1, 16, 25})
        for (const auto activation : {Activation::none, Activation::relu, Activation::clamp}) {
          const Case c{.m = m,
                       .n = 77,
                       .k = 400 * (bits & 1) + 9,
                       .gap = 1,
                       .packed_a = (bits & 1) != 0,
                       .packed_b = (bits & 2) != 0,
                       .row_bias = (bits & 4) != 0,
                       .column_bias = (bits & 4) == 0 && (bits & 8) != 0,
                       .alpha = (bits & 16) ? 2 : 1,
                       .beta = (bits & 32) ? -1 : 0,
                       .activation = activation};
          check<float>(c, target);
          if (m == 16) check<double>(c, target);
        }
}

TEST_CASE("large products cross every block boundary") {
  for (const auto target : targets()) {
    check<float>({.m = 750, .n = 90, .k = 400}, target);
    check<float>({.m = 130, .n = 5000, .k = 9}, target, ParallelFor(nullptr, run_backwards));
    check<float>({.m = 30, .n = 700, .k = 800, .transposed_b = true, .beta = 1}, target);
    check<float>({.m = 130, .n = 300, .k = 600, .transposed_a = true, .column_bias = true}, target,
                 ParallelFor(nullptr, run_backwards));
  }
}

TEST_CASE("the result may be stored with any stride") {
  for (const auto target : targets())
    for (const std::int64_t m : {1, 9, 31})
      for (const std::int64_t n : {1, 40}) {
        check<float>({.m = m,
                      .n = n,
                      .k = 300,
                      .gap = 1,
                      .row_bias = true,
                      .beta = 2,
                      .activation = Activation::relu,
                      .transposed_c = true},
                     target);
        check<std::int32_t>({.m = m, .n = n, .k = 30, .beta = 2, .transposed_c = true}, target);
      }
}

TEST_CASE_TEMPLATE("other dtypes multiply too", T, Half, BFloat16, std::int8_t, std::uint8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::complex<float>,
                   std::complex<double>) {
  for (const auto target : targets())
    for (const std::int64_t m : {1, 5, 19})
      for (const std::int64_t n : {1, 33, 130})
        for (int bits = 0; bits < 8; ++bits)
          check<T>({.m = m,
                    .n = n,
                    .k = 37,
                    .transposed_a = (bits & 1) != 0,
                    .transposed_b = (bits & 2) != 0,
                    .gap = 1,
                    .packed_a = (bits & 1) != 0,
                    .packed_b = (bits & 4) != 0,
                    .column_bias = (bits & 2) != 0,
                    .alpha = (bits & 4) ? 2 : 1,
                    .beta = (bits & 2) ? 1 : 0},
                   target);
}

TEST_CASE("dtypes without a product say so") {
  CHECK_FALSE(make_gemm_plan(DType::bool_, 1, 1, 1).is_supported);
  CHECK_FALSE(make_gemm_plan(DType::float8_e5m2, 1, 1, 1).is_supported);
}

TEST_CASE("a beta of zero does not read C") {
  const std::vector<float> one = {1.0F};
  std::vector<float> out = {std::numeric_limits<float>::quiet_NaN()};
  const GemmPlan plan = make_gemm_plan(DType::float32, 1, 1, 1);
  const Workspace scratch(plan.scratch_bytes);
  gemm(plan, {one.data(), 1, 1}, {one.data(), 1, 1}, out.data(), 1, 1, {}, scratch.data, {});
  CHECK(out[0] == 1.0F);
}

TEST_CASE("a batch multiplies matrix by matrix, sharing what has no stride") {
  constexpr std::int64_t m = 5, n = 7, k = 3, batch = 37;
  std::mt19937 random(3);
  const auto a = random_matrix<float>(batch * m, k, false, 0, random);
  const auto b = random_matrix<float>(k, n, false, 0, random);
  std::vector<float> out(batch * m * n), one(batch * m * n);
  const GemmPlan plan = make_gemm_plan(DType::float32, m, n, k);
  const Workspace scratch(batched_scratch_bytes(plan, batch));
  gemm_batched(plan, {batch, m * k, 0, m * n}, {a.data.data(), k, 1}, {b.data.data(), n, 1},
               out.data(), n, 1, {}, scratch.data, ParallelFor(nullptr, run_backwards));
  const GemmPlan whole = make_gemm_plan(DType::float32, batch * m, n, k);
  const Workspace other(whole.scratch_bytes);
  gemm(whole, {a.data.data(), k, 1}, {b.data.data(), n, 1}, one.data(), n, 1, {}, other.data, {});
  CHECK(out == one);
}
