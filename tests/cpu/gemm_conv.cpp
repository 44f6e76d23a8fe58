// Convolution against a naive loop.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/gemm/conv.hpp>

namespace {

using namespace treadle;
using namespace treadle::cpu;

struct Block {
  explicit Block(std::size_t bytes)
      : data(bytes == 0 ? nullptr : ::operator new(bytes, alignment)) {}
  ~Block() { ::operator delete(data, alignment); }
  Block(const Block&) = delete;
  static constexpr std::align_val_t alignment{gemm_alignment};
  void* data;
};

std::int64_t elements(const std::array<std::int64_t, 3>& sizes, std::size_t rank) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) count *= sizes[d];
  return count;
}

template <class T>
std::vector<T> numbers(std::int64_t count, int seed) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t value = (i * 7 + i / 11 + seed) % 9 - 4;
    if constexpr (std::is_integral_v<T>)
      values.push_back(static_cast<T>(value));
    else
      values.push_back(static_cast<T>(static_cast<float>(value)));
  }
  return values;
}

/// Position `index` in an array of `sizes`, as coordinates.
std::array<std::int64_t, 3> unravel(std::int64_t index, const std::array<std::int64_t, 3>& sizes,
                                    std::size_t rank) {
  std::array<std::int64_t, 3> at = {};
  for (std::size_t d = rank; d-- > 0; index /= sizes[d]) at[d] = index % sizes[d];
  return at;
}

/// Scatters every input element through every kernel position: the definition of the transposed
/// form and, with the roles of input and output changed, of the other.
template <class T>
std::vector<double> naive(const ConvGeometry& g, const std::vector<T>& input,
                          const std::vector<T>& weight, const std::vector<T>& bias) {
  const std::int64_t in_plane = elements(g.input, g.rank), out_plane = elements(g.output, g.rank);
  const std::int64_t taps = elements(g.kernel, g.rank);
  const std::int64_t ins = g.in_channels / g.groups, outs = g.out_channels / g.groups;
  const auto& small = g.transposed ? g.input : g.output;
  const auto& large = g.transposed ? g.output : g.input;
  std::vector<double> out(static_cast<std::size_t>(g.batch * g.out_channels * out_plane));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<double>(static_cast<float>(
        bias[i / static_cast<std::size_t>(out_plane) % static_cast<std::size_t>(g.out_channels)]));
  for (std::int64_t n = 0; n < g.batch; ++n)
    for (std::int64_t o = 0; o < g.out_channels; ++o)
      for (std::int64_t c = 0; c < ins; ++c)
        for (std::int64_t s = 0; s < elements(small, g.rank); ++s)
          for (std::int64_t k = 0; k < taps; ++k) {
            const auto at = unravel(s, small, g.rank), kernel = unravel(k, g.kernel, g.rank);
            std::int64_t l = 0;
            bool inside = true;
            for (std::size_t d = 0; d < g.rank; ++d) {
              const auto x = at[d] * g.stride[d] - g.padding[d] + kernel[d] * g.dilation[d];
              inside = inside && x >= 0 && x < large[d];
              l = l * large[d] + x;
            }
            if (!inside) continue;
            const std::int64_t channel = o / outs * ins + c;
            const std::int64_t row = g.transposed ? channel * outs + o % outs : o * ins + c;
            const auto from = (n * g.in_channels + channel) * in_plane + (g.transposed ? s : l);
            const auto to = (n * g.out_channels + o) * out_plane + (g.transposed ? l : s);
            out[static_cast<std::size_t>(to)] +=
                static_cast<double>(static_cast<float>(input[static_cast<std::size_t>(from)])) *
                static_cast<double>(
                    static_cast<float>(weight[static_cast<std::size_t>(row * taps + k)]));
          }
  return out;
}

void run_backwards(void*, std::int64_t count, std::int64_t grain, ParallelFor::Range range) {
  for (std::int64_t begin = (count - 1) / grain * grain; begin >= 0; begin -= grain)
    range(begin, std::min(begin + grain, count));
}

template <class T>
void check(ConvGeometry g, simd::Target target, Activation activation,
           ParallelFor parallel_for = {}) {
  for (std::size_t d = 0; d < g.rank; ++d) g.output[d] = conv_output_size(g, d);
  const auto input = numbers<T>(g.batch * g.in_channels * elements(g.input, g.rank), 1);
  const auto weight =
      numbers<T>(g.in_channels * (g.out_channels / g.groups) * elements(g.kernel, g.rank), 5);
  const auto bias = numbers<T>(g.out_channels, 3);
  const auto expected = naive(g, input, weight, bias);
  std::vector<T> output(expected.size(), static_cast<T>(99));
  const ConvPlan plan = make_conv_plan(dtype_of<T>(), g, target);
  REQUIRE(plan.is_supported);
  const Block packed(packed_weight_bytes(plan)), scratch(plan.scratch_bytes);
  pack_weight(plan, weight.data(), packed.data);
  convolve(plan, input.data(), packed.data, output.data(), {bias.data(), activation, -5, 20},
           scratch.data, parallel_for);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    double x = expected[i];
    if (activation == Activation::relu) x = std::max(x, 0.0);
    if (activation == Activation::clamp) x = std::clamp(x, -5.0, 20.0);
    const T truth = [&] {
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::int64_t>(x));
      else
        return static_cast<T>(static_cast<float>(x));
    }();
    if (static_cast<double>(static_cast<float>(output[i])) !=
        static_cast<double>(static_cast<float>(truth)))
      ++wrong;
  }
  CAPTURE(static_cast<int>(plan.strategy));
  CAPTURE(static_cast<int>(target));
  CAPTURE(g.rank);
  CAPTURE(g.groups);
  CAPTURE(g.transposed);
  CAPTURE(g.input[0]);
  CAPTURE(g.kernel[0]);
  CAPTURE(g.stride[0]);
  CHECK(wrong == 0);
}

std::vector<ConvGeometry> geometries() {
  std::vector<ConvGeometry> all;
  const auto add = [&](ConvGeometry g) { all.push_back(g); };
  add({.in_channels = 3, .out_channels = 8, .input = {9, 11}, .kernel = {3, 3}});
  add({.batch = 2, .in_channels = 5, .out_channels = 7, .input = {9, 11}});
  add({.in_channels = 5, .out_channels = 7, .input = {9, 11}, .stride = {2, 2}});
  add({.batch = 2,
       .in_channels = 3,
       .out_channels = 20,
       .input = {33, 35},
       .kernel = {7, 7},
       .stride = {2, 2},
       .padding = {3, 3}});
  add({.batch = 3,
       .in_channels = 8,
       .out_channels = 12,
       .groups = 4,
       .input = {10, 6},
       .kernel = {3, 2},
       .stride = {1, 2},
       .padding = {2, 0},
       .dilation = {2, 1}});
  add({.in_channels = 40,
       .out_channels = 33,
       .input = {8, 8},
       .kernel = {3, 3},
       .padding = {1, 1}});
  add({.in_channels = 4, .out_channels = 6, .input = {5, 5}, .kernel = {5, 5}});
  add({.in_channels = 2, .out_channels = 3, .input = {2, 3}, .kernel = {4, 5}, .padding = {3, 4}});
  for (const std::int64_t stride : {1, 2, 3})
    for (const std::int64_t dilation : {1, 2, 3})
      for (const std::int64_t width : {7, 14, 70}) {
        ConvGeometry g{.batch = 2,
                       .in_channels = 6,
                       .out_channels = 12,
                       .groups = 6,
                       .input = {9, width},
                       .kernel = {3, 3},
                       .stride = {stride, 1},
                       .padding = {1, 2},
                       .dilation = {1, dilation}};
        add(g);
        g.out_channels = 6, g.stride = {1, stride}, g.dilation = {dilation, 1}, g.padding = {3, 0};
        add(g);
      }
  for (const std::int64_t kernel : {1, 3, 8})
    for (const std::int64_t groups : {1, 2, 4})
      add({.batch = 2,
           .in_channels = 4,
           .out_channels = 8,
           .groups = groups,
           .rank = 1,
           .input = {50},
           .kernel = {kernel},
           .stride = {groups},
           .padding = {kernel / 2}});
  add({.in_channels = 3,
       .out_channels = 4,
       .rank = 3,
       .input = {5, 6, 7},
       .kernel = {2, 3, 3},
       .stride = {1, 2, 1},
       .padding = {1, 0, 1}});
  add({.batch = 2,
       .in_channels = 4,
       .out_channels = 4,
       .groups = 4,
       .rank = 3,
       .input = {3, 4, 5},
       .kernel = {3, 3, 3},
       .padding = {1, 1, 1},
       .dilation = {1, 1, 2}});
  for (const std::int64_t stride : {1, 2, 3})
    for (const std::int64_t groups : {1, 2})
      add({.batch = 2,
           .in_channels = 4,
           .out_channels = 6,
           .groups = groups,
           .input = {5, 4},
           .kernel = {3, 4},
           .stride = {stride, 2},
           .padding = {1, 0},
           .dilation = {1, stride},
           .output_padding = {stride - 1, 1},
           .transposed = true});
  add({.in_channels = 2,
       .out_channels = 3,
       .rank = 1,
       .input = {9},
       .kernel = {4},
       .stride = {2},
       .padding = {3},
       .transposed = true});
  add({.in_channels = 2,
       .out_channels = 3,
       .rank = 3,
       .input = {2, 3, 4},
       .kernel = {2, 2, 3},
       .stride = {2, 1, 2},
       .transposed = true});
  add({.batch = 0, .in_channels = 2, .out_channels = 3, .input = {4, 4}, .kernel = {3, 3}});
  return all;
}

std::vector<simd::Target> targets() {
  std::vector<simd::Target> all = {simd::Target::baseline};
  if (simd::detect() == simd::Target::avx512) all.push_back(simd::Target::avx2);
  if (simd::detect() != simd::Target::baseline) all.push_back(simd::detect());
  return all;
}

}  // namespace

TEST_CASE("convolutions of every geometry are exact") {
  for (const auto target : targets())
    for (const auto& geometry : geometries())
      for (const auto activation : {Activation::none, Activation::relu, Activation::clamp})
        check<float>(geometry, target, activation);
}

TEST_CASE_TEMPLATE("convolutions of other dtypes are exact", T, double, Half, BFloat16,
                   std::int32_t, std::int64_t, std::uint8_t) {
  for (const auto target : targets())
    for (const auto& geometry : geometries())
      check<T>(geometry, target, std::is_unsigned_v<T> ? Activation::none : Activation::relu);
}

TEST_CASE("convolutions do not depend on the order of the pieces") {
  for (const auto& geometry : geometries())
    check<float>(geometry, simd::detect(), Activation::none, ParallelFor(nullptr, run_backwards));
}

TEST_CASE("each geometry takes the strategy meant for it") {
  const auto strategy = [](ConvGeometry g) {
    for (std::size_t d = 0; d < g.rank; ++d) g.output[d] = conv_output_size(g, d);
    return make_conv_plan(DType::float32, g).strategy;
  };
  CHECK(strategy({.in_channels = 4, .out_channels = 4, .input = {8, 8}}) ==
        ConvStrategy::pointwise);
  CHECK(strategy({.in_channels = 4, .out_channels = 4, .input = {8, 8}, .kernel = {3, 3}}) ==
        ConvStrategy::im2col);
  CHECK(
      strategy(
          {.in_channels = 4, .out_channels = 8, .groups = 4, .input = {8, 8}, .kernel = {3, 3}}) ==
      ConvStrategy::depthwise);
  CHECK(strategy({.in_channels = 4,
                  .out_channels = 8,
                  .input = {8, 8},
                  .kernel = {3, 3},
                  .transposed = true}) == ConvStrategy::transposed);
}
