// Planning and running of convolutions.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <treadle/config.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/gemm/conv.hpp>
#include <treadle/cpu/gemm/conv_depthwise.hpp>
#include <treadle/cpu/gemm/conv_direct.hpp>
#include <treadle/cpu/gemm/conv_im2col.hpp>
#include <treadle/cpu/gemm/conv_transposed.hpp>
#include <treadle/cpu/gemm/gemm.hpp>
#include <treadle/cpu/gemm/gemm_dtypes.hpp>
#include <treadle/cpu/simd/tap_kernels.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// At most this many pieces of a convolution are under way at once, each with its own workspace.
inline constexpr std::int64_t max_conv_slots = 16;

/// The same convolution with three spatial dimensions.
inline ConvGeometry with_rank_three(const ConvGeometry& g) noexcept {
  ConvGeometry full = g;
  const std::size_t shift = 3 - g.rank;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool has = d >= shift;
    full.input[d] = has ? g.input[d - shift] : 1;
    full.kernel[d] = has ? g.kernel[d - shift] : 1;
    full.stride[d] = has ? g.stride[d - shift] : 1;
    full.padding[d] = has ? g.padding[d - shift] : 0;
    full.dilation[d] = has ? g.dilation[d - shift] : 1;
    full.output_padding[d] = has ? g.output_padding[d - shift] : 0;
    full.output[d] = has ? g.output[d - shift] : 1;
  }
  full.rank = 3;
  return full;
}

inline std::int64_t product_of(const std::array<std::int64_t, 3>& sizes) noexcept {
  return sizes[0] * sizes[1] * sizes[2];
}

inline ConvStrategy choose_strategy(DType dtype, const ConvGeometry& g, bool is_flat) noexcept {
  const bool is_native = dtype == DType::float32 || dtype == DType::float64;
  if (!has_micro_kernel(dtype)) return ConvStrategy::direct;
  if (g.transposed) return is_native ? ConvStrategy::transposed : ConvStrategy::direct;
  // Each plane is split into as many as the strides make, most of them empty where they are large.
  const bool splits_few = g.stride[1] * g.stride[2] <= 1024;
  if (is_native && is_flat && splits_few && g.in_channels == g.groups &&
      g.kernel[1] * g.kernel[2] <= max_taps)
    return ConvStrategy::depthwise;
  const bool is_dense = product_of(g.stride) == 1 && g.padding == std::array<std::int64_t, 3>{};
  return product_of(g.kernel) == 1 && is_dense ? ConvStrategy::pointwise : ConvStrategy::im2col;
}

inline void plan_product(ConvPlan& plan) {
  const ConvGeometry& g = plan.geometry;
  const std::int64_t ins = g.in_channels / g.groups, outs = g.out_channels / g.groups;
  const std::int64_t taps = product_of(g.kernel);
  const GemmOptions options{.packed_a = true, .packed_b = false, .target = plan.target};
  plan.product = plan.strategy == ConvStrategy::transposed
                     ? make_gemm_plan(plan.dtype, outs * taps, product_of(g.input), ins, options)
                     : make_gemm_plan(plan.dtype, outs, product_of(g.output), ins * taps, options);
}

/// Whether pieces of work are whole images and groups, rather than parts of one product.
inline bool splits_by_image(const ConvPlan& plan) noexcept {
  if (plan.strategy == ConvStrategy::depthwise) return true;
  return plan.strategy != ConvStrategy::transposed && is_small_product(plan.product);
}

/// Calls `task(index, workspace, parallel_for)` for every image and group.
template <class Task>
void for_each_image(const ConvPlan& plan, void* scratch, ParallelFor parallel_for,
                    const Task& task) {
  const std::int64_t count = plan.geometry.batch * plan.geometry.groups;
  auto* const bytes = static_cast<std::byte*>(scratch);
  if (count <= 1 || !splits_by_image(plan)) {
    for (std::int64_t i = 0; i < count; ++i) task(i, bytes, parallel_for);
    return;
  }
  const ConvGeometry& g = plan.geometry;
  const std::int64_t slots = std::min(count, max_conv_slots);
  const std::int64_t work = product_of(g.output) * product_of(g.kernel) *
                            (g.out_channels / g.groups) * (g.in_channels / g.groups) *
                            ((count + slots - 1) / slots);
  const std::int64_t grain = std::max<std::int64_t>(1, 200000 / std::max<std::int64_t>(work, 1));
  parallel_for(slots, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t s = begin; s < end; ++s)
      for (std::int64_t i = count * s / slots; i < count * (s + 1) / slots; ++i)
        task(i, bytes ? bytes + static_cast<std::size_t>(s) * plan.slot_bytes : nullptr,
             ParallelFor());
  });
}

/// One run of a convolution whose elements are `Element` and whose products are in `T`.
template <class Element, class T>
class ConvRun {
 public:
  ConvRun(const ConvPlan& plan, const void* input, const void* weight, void* output,
          const ConvEpilogue& epilogue) noexcept
      : plan_(plan),
        g_(plan.geometry),
        epilogue_(epilogue),
        ins_(g_.in_channels / g_.groups),
        outs_(g_.out_channels / g_.groups),
        in_plane_(product_of(g_.input)),
        out_plane_(product_of(g_.output)),
        input_(static_cast<const Element*>(input)),
        weight_(static_cast<const std::byte*>(weight)),
        output_(static_cast<Element*>(output)),
        bias_(static_cast<const Element*>(epilogue.bias)) {}

  void run(void* scratch, ParallelFor parallel_for) const {
    if (plan_.strategy == ConvStrategy::depthwise) {
      if constexpr (std::is_same_v<Element, T>) depthwise(scratch, parallel_for);
    } else if (plan_.strategy == ConvStrategy::transposed) {
      if constexpr (std::is_same_v<Element, T>) transposed(scratch, parallel_for);
    } else {
      product(scratch, parallel_for);
    }
  }

 private:
  [[nodiscard]] const Element* image(std::int64_t i) const { return input_ + i * ins_ * in_plane_; }
  [[nodiscard]] Element* result(std::int64_t i) const { return output_ + i * outs_ * out_plane_; }
  [[nodiscard]] const Element* bias(std::int64_t i) const {
    return bias_ ? bias_ + i % g_.groups * outs_ : nullptr;
  }
  [[nodiscard]] GemmOperand weight(std::int64_t i) const {
    return GemmOperand::packed(weight_ + static_cast<std::size_t>(i % g_.groups) *
                                             packed_a_bytes(plan_.product));
  }

  void product(void* scratch, ParallelFor parallel_for) const {
    for_each_image(plan_, scratch, parallel_for,
                   [&](std::int64_t i, std::byte* workspace, ParallelFor inner) {
                     const PatchSource<Element> patches{&g_, image(i)};
                     GemmOperand right{image(i), in_plane_, 1, false, nullptr};
                     if (plan_.strategy == ConvStrategy::im2col) {
                       right.data = &patches;
                       right.pack = &pack_patches<Element, T>;
                     }
                     GemmEpilogue epilogue;
                     epilogue.row_bias = bias(i);
                     epilogue.activation = epilogue_.activation;
                     epilogue.low = epilogue_.low;
                     epilogue.high = epilogue_.high;
                     gemm(plan_.product, weight(i), right, result(i), out_plane_, 1, epilogue,
                          workspace, inner);
                   });
  }

  void depthwise(void* scratch, ParallelFor parallel_for) const {
    simd::TapFunction<T> tap_sum = nullptr;
    if constexpr (std::is_same_v<T, double>)
      tap_sum = simd::tap_sum_f64(plan_.target);
    else
      tap_sum = simd::tap_sum_f32(plan_.target);
    DepthwiseConv<T> conv(plan_, tap_sum);
    conv.set_bounds(epilogue_);
    const auto* weights = reinterpret_cast<const T*>(weight_);
    for_each_image(
        plan_, scratch, parallel_for, [&](std::int64_t i, std::byte* workspace, ParallelFor) {
          conv.run(image(i), weights + i % g_.groups * outs_ * g_.kernel[1] * g_.kernel[2], bias(i),
                   result(i), reinterpret_cast<T*>(workspace));
        });
  }

  void transposed(void* scratch, ParallelFor parallel_for) const {
    const std::int64_t taps = product_of(g_.kernel);
    T* const columns = static_cast<T*>(scratch);
    void* const workspace =
        columns + (static_cast<std::size_t>(outs_ * taps * in_plane_) + 63) / 64 * 64;
    const std::int64_t cost = taps * in_plane_ + out_plane_ + 1;
    for_each_image(
        plan_, nullptr, parallel_for, [&](std::int64_t i, std::byte*, ParallelFor inner) {
          gemm(plan_.product, weight(i), {image(i), in_plane_, 1, false, nullptr}, columns,
               in_plane_, 1, {}, workspace, inner);
          inner(outs_, std::max<std::int64_t>(1, 20000 / cost),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t c = begin; c < end; ++c)
                    scatter_channel(g_, columns + c * taps * in_plane_, bias(i) ? bias(i)[c] : T{0},
                                    epilogue_, result(i) + c * out_plane_);
                });
        });
  }

  const ConvPlan& plan_;
  const ConvGeometry& g_;
  const ConvEpilogue& epilogue_;
  std::int64_t ins_, outs_, in_plane_, out_plane_;
  const Element* input_;
  const std::byte* weight_;
  Element* output_;
  const Element* bias_;
};

}  // namespace detail

TREADLE_INLINE ConvPlan make_conv_plan(DType dtype, const ConvGeometry& geometry,
                                       simd::Target target) {
  ConvPlan plan;
  plan.geometry = detail::with_rank_three(geometry);
  plan.dtype = dtype;
  plan.target = target;
  plan.is_supported = detail::has_micro_kernel(dtype) || detail::visit_gemm_any(dtype, [](auto) {});
  plan.strategy = detail::choose_strategy(dtype, plan.geometry, geometry.rank < 3);
  const ConvGeometry& g = plan.geometry;
  if (plan.strategy == ConvStrategy::direct) return plan;
  if (plan.strategy == ConvStrategy::depthwise) {
    const detail::DepthwiseLayout layout = detail::depthwise_layout(g);
    plan.slot_bytes =
        static_cast<std::size_t>(layout.in_elements + layout.out_elements) * size_of(dtype);
  } else {
    detail::plan_product(plan);
    plan.slot_bytes = plan.product.scratch_bytes;
  }
  if (plan.strategy == ConvStrategy::transposed) {
    const auto columns = static_cast<std::size_t>(plan.product.m * plan.product.n);
    plan.slot_bytes += (columns + 63) / 64 * 64 * size_of(dtype);
  }
  const std::int64_t slots =
      detail::splits_by_image(plan)
          ? std::clamp<std::int64_t>(g.batch * g.groups, 1, detail::max_conv_slots)
          : 1;
  plan.scratch_bytes = plan.slot_bytes * static_cast<std::size_t>(slots);
  return plan;
}

namespace detail {
inline std::size_t plain_weight_bytes(const ConvPlan& plan) noexcept {
  const ConvGeometry& g = plan.geometry;
  const std::int64_t channels = g.in_channels * (g.out_channels / g.groups);
  return static_cast<std::size_t>(channels * product_of(g.kernel)) * size_of(plan.dtype);
}
inline bool has_product(const ConvPlan& plan) noexcept {
  return plan.strategy != ConvStrategy::direct && plan.strategy != ConvStrategy::depthwise;
}
}  // namespace detail

TREADLE_INLINE std::size_t packed_weight_bytes(const ConvPlan& plan) {
  if (!detail::has_product(plan)) return detail::plain_weight_bytes(plan);
  return packed_a_bytes(plan.product) * static_cast<std::size_t>(plan.geometry.groups);
}

TREADLE_INLINE void pack_weight(const ConvPlan& plan, const void* weight, void* packed) {
  const std::size_t bytes = detail::plain_weight_bytes(plan);
  if (!detail::has_product(plan)) {
    if (bytes != 0) std::memcpy(packed, weight, bytes);
    return;
  }
  const auto groups = static_cast<std::size_t>(plan.geometry.groups);
  const bool is_transposed = plan.strategy == ConvStrategy::transposed;
  for (std::size_t i = 0; i < groups; ++i) {
    GemmOperand left{static_cast<const std::byte*>(weight) + i * (bytes / groups),
                     is_transposed ? 1 : plan.product.k, is_transposed ? plan.product.m : 1, false,
                     nullptr};
    pack_a(plan.product, left, static_cast<std::byte*>(packed) + i * packed_a_bytes(plan.product));
  }
}

TREADLE_INLINE void convolve(const ConvPlan& plan, const void* input, const void* weight,
                             void* output, const ConvEpilogue& epilogue, void* scratch,
                             ParallelFor parallel_for) {
  const auto direct = [&]<class Element>(TypeTag<Element>) {
    detail::convolve_direct<Element>(plan, input, weight, output, epilogue, parallel_for);
  };
  const bool done = detail::visit_gemm_float(plan.dtype, [&]<class Element, class T>(
                                                             TypeTag<Element> tag, TypeTag<T>) {
    if (plan.strategy == ConvStrategy::direct) return direct(tag);
    detail::ConvRun<Element, T>(plan, input, weight, output, epilogue).run(scratch, parallel_for);
  });
  if (!done) detail::visit_gemm_any(plan.dtype, direct);
}

}  // namespace treadle::inline v0::cpu
