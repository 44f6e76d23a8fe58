// Vector functions against double precision.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/simd/vector_math.hpp>

namespace {

using namespace treadle::cpu::simd;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

std::vector<Target> targets() {
  std::vector<Target> all = {Target::baseline};
  if (detect() == Target::avx512) all.push_back(Target::avx2);
  if (detect() != Target::baseline) all.push_back(detect());
  return all;
}

/// Every 4099th float, denormals included, and the special ones.
std::vector<float> sweep() {
  std::vector<float> values = {0.0F, -0.0F, inf, -inf, quiet_nan, 1e-45F, -1e-45F, 1.0F, -1.0F};
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 4099)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (int i = -40000; i <= 40000; ++i) values.push_back(static_cast<float>(i) / 3700.0F);
  return values;
}

/// Distance from `got` to the true value in units of the last place of the float nearest to it.
double ulps(float got, double truth) {
  const float nearest = static_cast<float>(truth);
  if (std::isnan(truth)) return std::isnan(got) ? 0 : 1e9;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : 1e9;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::abs(static_cast<double>(got) - truth) / unit;
}

struct Function {
  std::string_view name;
  UnaryFunction<float> VectorMaps::* function;
  double (*truth)(double);
  double limit;
};

const Function functions[] = {
    {"exp", &VectorMaps::exp, [](double x) { return std::exp(x); }, 2},
    {"log", &VectorMaps::log, [](double x) { return std::log(x); }, 2},
    {"tanh", &VectorMaps::tanh, [](double x) { return std::tanh(x); }, 2},
    {"sigmoid", &VectorMaps::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 3},
    {"erf", &VectorMaps::erf, [](double x) { return std::erf(x); }, 3},
    {"sqrt", &VectorMaps::sqrt, [](double x) { return std::sqrt(x); }, 0.5},
    {"rsqrt", &VectorMaps::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 1.5},
    {"reciprocal", &VectorMaps::reciprocal, [](double x) { return 1 / x; }, 0.5},
    {"relu", &VectorMaps::relu, [](double x) { return x < 0 ? 0 : x; }, 0},
    {"neg", &VectorMaps::neg, [](double x) { return -x; }, 0},
    {"abs", &VectorMaps::abs, [](double x) { return std::abs(x); }, 0},
};

}  // namespace

TEST_CASE("vector functions stay within their stated error") {
  const auto in = sweep();
  std::vector<float> out(in.size());
  for (const auto target : targets())
    for (const auto& f : functions) {
      (vector_maps(target).*f.function)(in.data(), out.data(), in.size());
      double worst = 0;
      float at = 0;
      for (std::size_t i = 0; i < in.size(); ++i)
        if (const double error = ulps(out[i], f.truth(static_cast<double>(in[i]))); error > worst)
          worst = error, at = in[i];
      CAPTURE(f.name);
      CAPTURE(static_cast<int>(target));
      CAPTURE(at);
      CHECK(worst <= f.limit);
    }
}

TEST_CASE("gelu and silu are close to their definitions") {
  std::vector<float> in;
  for (int i = -3000; i <= 3000; ++i) in.push_back(static_cast<float>(i) / 300.0F);
  std::vector<float> out(in.size());
  const auto worst = [&](auto truth) {
    double error = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      error = std::max(error,
                       std::abs(static_cast<double>(out[i]) - truth(static_cast<double>(in[i]))) /
                           (1 + std::abs(static_cast<double>(in[i]))));
    return error;
  };
  for (const auto target : targets()) {
    vector_maps(target).gelu(in.data(), out.data(), in.size());
    CHECK(worst([](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }) < 2e-7);
    vector_maps(target).gelu_tanh(in.data(), out.data(), in.size());
    CHECK(worst([](double x) {
            return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
          }) < 2e-7);
    vector_maps(target).silu(in.data(), out.data(), in.size());
    CHECK(worst([](double x) { return x / (1 + std::exp(-x)); }) < 2e-7);
  }
}

TEST_CASE("element-wise results do not depend on place or length") {
  for (const auto target : targets())
    for (std::size_t n = 0; n < 70; ++n) {
      std::vector<float> in(n), whole(n), one(1), same(n);
      for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i) * 0.37F - 9.0F;
      for (const auto& f : functions) {
        const auto function = vector_maps(target).*f.function;
        function(in.data(), whole.data(), n);
        same = in;
        function(same.data(), same.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
          function(&in[i], one.data(), 1);
          CHECK(std::bit_cast<std::uint32_t>(one[0]) == std::bit_cast<std::uint32_t>(whole[i]));
          CHECK(std::bit_cast<std::uint32_t>(same[i]) == std::bit_cast<std::uint32_t>(whole[i]));
        }
      }
    }
}

TEST_CASE("arithmetic on arrays of any length is exact") {
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 7, 8, 16, 31, 100}) {
      const VectorMaps& math = vector_maps(target);
      std::vector<float> a(n), b(n), out(n), more(n);
      for (std::size_t i = 0; i < n; ++i)
        a[i] = static_cast<float>(i) - 5.0F, b[i] = static_cast<float>(i % 7) + 1.0F;
      const auto expect = [&](auto truth) {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += out[i] != truth(a[i], b[i]) ? 1U : 0U;
        CHECK(wrong == 0);
      };
      math.add(a.data(), b.data(), out.data(), n), expect([](float x, float y) { return x + y; });
      math.sub(a.data(), b.data(), out.data(), n), expect([](float x, float y) { return x - y; });
      math.mul(a.data(), b.data(), out.data(), n), expect([](float x, float y) { return x * y; });
      math.div(a.data(), b.data(), out.data(), n), expect([](float x, float y) { return x / y; });
      math.max(a.data(), b.data(), out.data(), n),
          expect([](float x, float y) { return std::max(x, y); });
      math.min(a.data(), b.data(), out.data(), n),
          expect([](float x, float y) { return std::min(x, y); });
      math.add_scalar(a.data(), 2, out.data(), n), expect([](float x, float) { return x + 2; });
      math.mul_scalar(a.data(), 3, out.data(), n), expect([](float x, float) { return x * 3; });
      math.rsub_scalar(a.data(), 3, out.data(), n), expect([](float x, float) { return 3 - x; });
      math.div_scalar(a.data(), 3, out.data(), n), expect([](float x, float) { return x / 3; });
      math.rdiv_scalar(b.data(), 3, out.data(), n), expect([](float, float y) { return 3 / y; });
      math.fma(a.data(), b.data(), a.data(), out.data(), n),
          expect([](float x, float y) { return x * y + x; });
      math.affine(a.data(), 3, 2, 1, out.data(), n),
          expect([](float x, float) { return 2 * (x - 3) + 1; });
    }
}

TEST_CASE("maximum and minimum keep NaN from either side") {
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{1, 5, 16, 40}) {
      std::vector<float> a(n, 1.0F), b(n, quiet_nan), out(n);
      for (const auto function : {vector_maps(target).max, vector_maps(target).min}) {
        function(a.data(), b.data(), out.data(), n);
        CHECK(std::all_of(out.begin(), out.end(), [](float x) { return std::isnan(x); }));
        function(b.data(), a.data(), out.data(), n);
        CHECK(std::all_of(out.begin(), out.end(), [](float x) { return std::isnan(x); }));
      }
      a[n / 2] = quiet_nan;
      CHECK(std::isnan(vector_reductions(target).reduce_max(a.data(), n)));
      CHECK(std::isnan(vector_reductions(target).reduce_min(a.data(), n)));
    }
}

TEST_CASE("reductions agree with double precision") {
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 3, 15, 16, 63, 64, 100,
                                                                  1024, 1025, 5000, 100003}) {
      const VectorReductions& math = vector_reductions(target);
      std::vector<float> a(n), b(n);
      double sum = 0, dot = 0;
      float least = inf, most = -inf;
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = std::sin(static_cast<float>(i)) + 0.5F, b[i] = std::cos(static_cast<float>(i));
        sum += static_cast<double>(a[i]);
        dot += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        least = std::min(least, a[i]), most = std::max(most, a[i]);
      }
      CAPTURE(n);
      const auto size = static_cast<double>(n);
      CHECK(std::abs(static_cast<double>(math.sum(a.data(), n)) - sum) <= 1e-6 * size);
      CHECK(std::abs(static_cast<double>(math.dot(a.data(), b.data(), n)) - dot) <= 1e-6 * size);
      CHECK(math.reduce_max(a.data(), n) == most);
      CHECK(math.reduce_min(a.data(), n) == least);
      const std::vector<double> wide(a.begin(), a.end());
      CHECK(std::abs(math.sum_f64(wide.data(), n) - sum) <= 1e-14 * size);
    }
}

TEST_CASE("sums of columns are those of one column after the other, bit by bit") {
  constexpr std::size_t stride = 83, count = 5;
  std::vector<float> rows(stride * count);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<float>(std::sin(static_cast<double>(i)) * 1e3);
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 3, 8, 31, 64, 83}) {
      CAPTURE(n);
      std::vector<double> sums(n, 0.5);
      vector_reductions(target).sum_columns(sums.data(), rows.data(), stride, count, n);
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.5;
        for (std::size_t r = 0; r < count; ++r) sum += static_cast<double>(rows[r * stride + i]);
        CHECK(sums[i] == sum);
      }
    }
}

TEST_CASE("a softmax row sums to one and follows the exponentials") {
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{1, 2, 10, 17, 64, 1000}) {
      std::vector<float> in(n), out(n), logs(n);
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        in[i] = 90.0F + static_cast<float>(i % 13);
        total += std::exp(static_cast<double>(in[i]));
      }
      vector_reductions(target).softmax(in.data(), out.data(), n);
      vector_reductions(target).log_softmax(in.data(), logs.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        const double expected = std::exp(static_cast<double>(in[i])) / total;
        CHECK(static_cast<double>(out[i]) == doctest::Approx(expected).epsilon(1e-6));
        CHECK(static_cast<double>(logs[i]) == doctest::Approx(std::log(expected)).epsilon(1e-6));
      }
    }
}

TEST_CASE("a softmax row of minus infinities is NaN") {
  for (const auto target : targets()) {
    std::vector<float> row(19, -inf);
    vector_reductions(target).softmax(row.data(), row.data(), row.size());
    CHECK(std::isnan(row[0]));
    CHECK(std::isnan(row[18]));
  }
}

TEST_CASE("normalised rows have the wanted mean and scale") {
  for (const auto target : targets())
    for (const std::size_t n : std::initializer_list<std::size_t>{1, 5, 16, 77, 768}) {
      std::vector<float> in(n), weight(n), bias(n), out(n), rms(n);
      double mean = 0, square = 0, variance = 0;
      for (std::size_t i = 0; i < n; ++i) {
        in[i] = 100.0F + static_cast<float>(i % 5);
        weight[i] = 1.0F + static_cast<float>(i % 3), bias[i] = static_cast<float>(i % 2);
        mean += static_cast<double>(in[i]) / static_cast<double>(n);
        square += static_cast<double>(in[i] * in[i]) / static_cast<double>(n);
      }
      for (const float x : in)
        variance += std::pow(static_cast<double>(x) - mean, 2) / static_cast<double>(n);
      float got_mean = 0, got_rstd = 0;
      vector_reductions(target).layer_norm(in.data(), weight.data(), bias.data(), 1e-5F, out.data(),
                                           n, &got_mean, &got_rstd);
      vector_reductions(target).rms_norm(in.data(), weight.data(), 1e-5F, rms.data(), n);
      CHECK(static_cast<double>(got_mean) == doctest::Approx(mean));
      for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<double>(in[i]), w = static_cast<double>(weight[i]);
        const double centred = (x - mean) / std::sqrt(variance + 1e-5) * w;
        CHECK(static_cast<double>(out[i]) ==
              doctest::Approx(centred + static_cast<double>(bias[i])).epsilon(1e-4));
        CHECK(static_cast<double>(rms[i]) == doctest::Approx(x / std::sqrt(square + 1e-5) * w));
      }
    }
}
