// Fills a tensor with draws from a distribution whose parameters are numbers or tensors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/creation/call.hpp>
#include <treadle/cpu/loops.hpp>

namespace treadle::inline v0::cpu::detail {

/// One draw with parameters `a` and `b`. `step` is the distance of the result dtype's numbers just
/// below 1.
using Draw = double (*)(RandomState& random, double a, double b, double step);

/// A number in [0, 1) that stays below 1 when it is stored.
inline double unit_draw(RandomState& random, double step) {
  return std::floor(random.uniform() / step) * step;
}
inline double draw_uniform(RandomState& random, double from, double to, double step) {
  return from + unit_draw(random, step) * (to - from);
}
inline double draw_normal(RandomState& random, double mean, double deviation, double) {
  return mean + random.normal() * deviation;
}
/// An integer in [low, high).
inline double draw_integer(RandomState& random, double low, double high, double) {
  const double span = high - low;
  return low + static_cast<double>(random.below(static_cast<std::uint64_t>(span)));
}
inline double draw_truth(RandomState& random, double probability, double, double) {
  return random.uniform() < probability ? 1 : 0;
}
inline double draw_exponential(RandomState& random, double rate, double, double) {
  return -std::log1p(-random.uniform()) / rate;
}
inline double draw_geometric(RandomState& random, double probability, double, double) {
  return std::ceil(std::log1p(-random.uniform()) / std::log1p(-probability));
}
inline double draw_cauchy(RandomState& random, double median, double scale, double) {
  return median + scale * std::tan(3.14159265358979323846 * (random.uniform() - 0.5));
}
inline double draw_log_normal(RandomState& random, double mean, double deviation, double) {
  return std::exp(mean + random.normal() * deviation);
}
/// What dropout makes of an element: `x * factor + kept`, or `dropped`.
struct DropoutScale {
  double factor = 0, kept = 0, dropped = 0;

  DropoutScale(bool alpha, double p) noexcept {
    if (p >= 1) return;
    factor = 1 / (1 - p);
    if (!alpha) return;
    // Mean and variance of normalised activations stay (Klambauer et al., 2017).
    constexpr double limit = 1.7580993408473766;
    factor = 1 / std::sqrt((limit * limit * p + 1) * (1 - p));
    kept = limit * factor * p;
    dropped = kept - limit * factor;
  }
  [[nodiscard]] double apply(double x, bool keep) const noexcept {
    return keep ? x * factor + kept : dropped;
  }
};
/// Keeps `value`, scaled, with probability 1 - p.
template <bool Alpha>
double draw_kept(RandomState& random, double value, double p, double) {
  return DropoutScale(Alpha, p).apply(value, random.uniform() >= p);
}

struct DrawKernel {
  std::string_view schema;
  Draw draw = nullptr;
  std::array<std::string_view, 2> names{};  ///< of the parameters; one may be a tensor
  std::array<double, 2> defaults{};
  /// Runs a check of the numbers, which are in order.
  bool (*good)(double a, double b) = nullptr;
};

struct PreparedDraw {
  struct Parameter {
    double number = 0;
    std::size_t nest_index = 0;  ///< 0: the number
    ConvertLoop load = nullptr;
  };
  LoopNest nest;
  Draw draw = nullptr;
  std::array<std::size_t, 3> slots{};
  std::array<Parameter, 2> parameters{};
  ConvertLoop store = nullptr;
  double step = 0x1p-53;
};

inline double step_below_one(DType dtype) noexcept {
  if (dtype == DType::float32) return 0x1p-24;
  if (dtype == DType::float16) return 0x1p-11;
  return dtype == DType::bfloat16 ? 0x1p-8 : 0x1p-53;
}

inline Result<Erased> prepare_draw(const void* object, PrepareContext<Backend>& context) {
  const auto& kernel = *static_cast<const DrawKernel*>(object);
  const FillArguments call(kernel.schema, context);
  const TensorMeta& out = context.results()[0].meta();
  PreparedDraw p;
  p.draw = kernel.draw;
  p.slots[0] = call.result_slot();
  p.step = step_below_one(out.dtype);
  std::array<const TensorMeta*, 3> metas = {&out};
  std::size_t operands = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    auto& parameter = p.parameters[i];
    parameter.number = kernel.defaults[i];
    if (const auto number = call.number(kernel.names[i])) parameter.number = number->to_double();
    const auto* tensor = kernel.names[i].empty() ? nullptr : call.tensor(kernel.names[i]);
    if (!tensor) continue;
    parameter.load = load_loop(tensor->dtype(), ComputeType::float64);
    if (!parameter.load) return context.fail("can't read elements of ", name(tensor->dtype()));
    parameter.nest_index = operands;
    p.slots[operands] = call.slot(kernel.names[i]);
    metas[operands++] = &tensor->meta();
  }
  if (kernel.good && !kernel.good(p.parameters[0].number, p.parameters[1].number))
    return context.fail("the parameters ", p.parameters[0].number, " and ", p.parameters[1].number,
                        " are out of range");
  TREADLE_TRY(p.nest, make_nest(std::span(metas.data(), operands)));
  p.store = store_loop(ComputeType::float64, out.dtype);
  if (!p.store) return context.fail("results of dtype ", name(out.dtype), " can't be stored");
  return make_erased(std::move(p));
}

inline Status run_draw(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedDraw*>(state);
  constexpr std::int64_t chunk = 256;
  constexpr auto size = static_cast<std::int64_t>(sizeof(double));
  std::array<std::array<double, chunk>, 3> values;
  std::array<std::byte*, 3> bases{};
  for (std::size_t k = 0; k < p.nest.operands; ++k) bases[k] = tensors[p.slots[k]]->bytes();
  const auto bytes = [&](std::size_t i) { return reinterpret_cast<std::byte*>(values[i].data()); };
  for (std::size_t i = 0; i < 2; ++i) values[i].fill(p.parameters[i].number);
  for_each_run(p.nest, bases.data(), 0, p.nest.count,
               [&](std::byte* const* at, const std::int64_t* strides, std::int64_t n) {
                 for (std::int64_t first = 0; first < n; first += chunk) {
                   const std::int64_t m = std::min(chunk, n - first);
                   for (std::size_t i = 0; i < 2; ++i)
                     if (const std::size_t k = p.parameters[i].nest_index; k != 0)
                       p.parameters[i].load(at[k] + first * strides[k], strides[k], bytes(i), size,
                                            m);
                   for (std::size_t j = 0; j < static_cast<std::size_t>(m); ++j)
                     values[2][j] = p.draw(context.random(), values[0][j], values[1][j], p.step);
                   p.store(bytes(2), size, at[0] + first * strides[0], strides[0], m);
                 }
               });
  return {};
}

}  // namespace treadle::inline v0::cpu::detail
