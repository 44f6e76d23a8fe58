// Registration of the kernels that draw random numbers.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/creation/counts.hpp>
#include <treadle/cpu/creation/draw.hpp>
#include <treadle/cpu/creation/feature_dropout.hpp>
#include <treadle/cpu/random.hpp>
#include <treadle/ops/creation.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

inline bool is_probability(double p, double) { return p >= 0 && p <= 1; }
inline bool is_dropout_rate(double, double p) { return p >= 0 && p <= 1; }
inline bool is_positive(double a, double) { return a > 0; }
inline bool is_span(double low, double high) { return high > low && high - low < 0x1p63; }
inline bool is_ordered(double low, double high) { return low <= high; }
inline bool is_deviation(double, double deviation) { return deviation >= 0; }

/// What an operator of this name draws, if it is one of the simple ones.
inline DrawKernel draw_of(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('.'));
  if (name == "aten::bernoulli") return {{}, &draw_truth, {"self", ""}, {}, nullptr};
  if (base == "aten::bernoulli") return {{}, &draw_truth, {"p", ""}, {}, &is_probability};
  if (base == "aten::rand" || base == "aten::rand_like") return {{}, &draw_uniform, {}, {0, 1}};
  if (base == "aten::uniform") return {{}, &draw_uniform, {"from", "to"}, {0, 1}, &is_ordered};
  if (base == "aten::randn" || base == "aten::randn_like") return {{}, &draw_normal, {}, {0, 1}};
  if (base == "aten::normal" || base == "aten::normal_functional")
    return {{}, &draw_normal, {"mean", "std"}, {0, 1}, &is_deviation};
  if (base == "aten::randint" || base == "aten::randint_like")
    return {{}, &draw_integer, {"low", "high"}, {0, 1}, &is_span};
  if (name == "aten::random.from" || name == "aten::random.to")
    return {{}, &draw_integer, {"from", "to"}, {0, 0x1p53}, &is_span};
  if (name == "aten::random") return {{}, &draw_integer, {}, {0, 128}};
  if (base == "aten::exponential")
    return {{}, &draw_exponential, {"lambd", ""}, {1, 0}, &is_positive};
  if (base == "aten::geometric") return {{}, &draw_geometric, {"p", ""}, {}, &is_probability};
  if (base == "aten::cauchy") return {{}, &draw_cauchy, {"median", "sigma"}, {0, 1}};
  if (base == "aten::poisson") return {{}, &draw_poisson, {"self", ""}};
  if (base == "aten::_standard_gamma") return {{}, &draw_gamma, {"self", ""}};
  if (base == "aten::binomial") return {{}, &draw_binomial, {"count", "prob"}};
  if (base == "aten::log_normal") return {{}, &draw_log_normal, {"mean", "std"}, {1, 2}};
  return {};
}

/// `dropout` and its relatives: a copy outside of training.
struct DropoutKernel {
  DrawKernel draw;
  bool features = false;  ///< drops whole features, not elements
  bool alpha = false;
};

struct PreparedDropout {
  CastPlan copy;
  Erased draw;  ///< of elements
  std::shared_ptr<const FeatureDropout> features;
};

inline Result<Erased> prepare_dropout(const void* object, PrepareContext<Backend>& context) {
  const auto& kernel = *static_cast<const DropoutKernel*>(object);
  const FillArguments call(kernel.draw.schema, context);
  const auto train = call.number("train");
  const TensorInfo<Backend>* input = call.tensor("input");
  if (!input) input = call.tensor("self");
  if (!input) return context.fail("expected a tensor");
  PreparedDropout p;
  if (train && train->to_bool()) {
    const double rate = call.number("p").value_or(Scalar(0.5)).to_double();
    if (!is_dropout_rate(0, rate)) return context.fail("p must lie in [0, 1], found ", rate);
    if (kernel.features) {
      TREADLE_TRY(p.features,
                  FeatureDropout::make(*input, DropoutScale(kernel.alpha, rate), rate, context));
    } else {
      TREADLE_TRY(p.draw, prepare_draw(&kernel.draw, context));
    }
  } else {
    TREADLE_TRY(p.copy, CastPlan::make(input->meta(), context.results()[0].meta()));
  }
  return make_erased(std::move(p));
}

inline Status run_dropout(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedDropout*>(state);
  if (p.draw) return run_draw(p.draw.get(), context, tensors);
  if (p.features) return p.features->run(context, *tensors[0], *tensors[1]);
  p.copy.run(context.parallel_for, tensors[0]->bytes(), tensors[1]->bytes());
  return {};
}

/// `native_dropout`: the nest holds the result, the mask and the input.
struct PreparedNativeDropout {
  LoopNest nest;
  ConvertLoop load = nullptr, store = nullptr;
  double p = 0;
  bool train = true;
};

inline Result<Erased> prepare_native_dropout(const void* object, PrepareContext<Backend>& context) {
  const FillArguments call(*static_cast<const std::string_view*>(object), context);
  const auto* input = call.tensor("input");
  if (!input) return context.fail("expected a tensor");
  PreparedNativeDropout loops;
  loops.p = call.number("p").value_or(Scalar(0.5)).to_double();
  loops.train = call.number("train").value_or(Scalar(true)).to_bool();
  if (!(loops.p >= 0 && loops.p <= 1)) return context.fail("p must lie in [0, 1], found ", loops.p);
  loops.load = load_loop(input->dtype(), ComputeType::float64);
  loops.store = store_loop(ComputeType::float64, context.results()[0].dtype());
  if (!loops.load || !loops.store)
    return context.fail("elements of ", name(input->dtype()), " can't be dropped");
  TREADLE_TRY(loops.nest, make_nest({&context.results()[0].meta(), &context.results()[1].meta(),
                                     &input->meta()}));
  return make_erased(loops);
}

inline Status run_native_dropout(const void* state, RunContext<Backend>& context,
                                 Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedNativeDropout*>(state);
  std::byte* bases[] = {tensors[1]->bytes(), tensors[2]->bytes(), tensors[0]->bytes()};
  const double factor = p.train && p.p < 1 ? 1 / (1 - p.p) : 1;
  for_each_run(p.nest, bases, 0, p.nest.count,
               [&](std::byte* const* at, const std::int64_t* strides, std::int64_t n) {
                 for (std::int64_t i = 0; i < n; ++i) {
                   const bool keep = !p.train || context.random().uniform() >= p.p;
                   double value = 0;
                   auto* bytes = reinterpret_cast<std::byte*>(&value);
                   p.load(at[2] + i * strides[2], 0, bytes, 0, 1);
                   value = keep ? value * factor : 0;
                   p.store(bytes, 0, at[0] + i * strides[0], 0, 1);
                   at[1][i * strides[1]] = std::byte{keep};
                 }
               });
  return {};
}

struct PreparedPermutation {
  std::int64_t n = 0, stride = 0;
  ConvertLoop store = nullptr;
};

inline Result<Erased> prepare_permutation(const void*, PrepareContext<Backend>& context) {
  const TensorMeta& out = context.results()[0].meta();
  const ConvertLoop store = store_loop(ComputeType::int64, out.dtype);
  if (!store) return context.fail("results of dtype ", name(out.dtype), " can't be stored");
  context.request_scratch(static_cast<std::size_t>(out.sizes[0]) * sizeof(std::int64_t));
  return make_erased(PreparedPermutation{
      out.sizes[0], out.strides[0] * static_cast<std::int64_t>(size_of(out.dtype)), store});
}

inline Status run_permutation(const void* state, RunContext<Backend>& context,
                              Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedPermutation*>(state);
  auto* order = reinterpret_cast<std::int64_t*>(context.scratch());
  std::iota(order, order + p.n, std::int64_t{0});
  for (std::int64_t i = p.n - 1; i > 0; --i)
    std::swap(order[i], order[context.random().below(static_cast<std::uint64_t>(i) + 1)]);
  p.store(context.scratch(), sizeof(std::int64_t), tensors[0]->bytes(), p.stride, p.n);
  return {};
}

inline void add_random_kernel(KernelRegistry<Backend>& registry, std::string_view schema) {
  const std::string_view name = schema_name(schema);
  if (name.ends_with("dropout") && name != "aten::native_dropout") {
    DropoutKernel kernel;
    kernel.features = name.starts_with("aten::feature");
    kernel.alpha = name.find("alpha") != name.npos;
    const Draw draw = kernel.alpha ? &draw_kept<true> : &draw_kept<false>;
    kernel.draw = {schema, draw, {"input", "p"}, {0, 0.5}, &is_dropout_rate};
    registry.add_entry({schema, make_erased(kernel), &prepare_dropout, &run_dropout});
    return;
  }
  if (name == "aten::native_dropout") {
    registry.add_entry({schema, make_erased(schema), &prepare_native_dropout, &run_native_dropout});
    return;
  }
  if (name.starts_with("aten::randperm")) {
    registry.add_entry({schema, nullptr, &prepare_permutation, &run_permutation});
    return;
  }
  DrawKernel kernel = draw_of(name);
  kernel.schema = schema;
  if (kernel.draw) registry.add_entry({schema, make_erased(kernel), &prepare_draw, &run_draw});
}

}  // namespace detail

TREADLE_INLINE KernelRegistry<Backend> random_kernels() {
  KernelRegistry<Backend> registry;
  for (const auto& definition : random_ops())
    if (definition.infer) detail::add_random_kernel(registry, definition.schema);
  return registry;
}

}  // namespace treadle::inline v0::cpu
