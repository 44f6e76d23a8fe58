// The kernel of the operators that resample along every axis of an image.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/upsample/resample_axis.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Images have three axes here, leading ones of size 1 put in front.
/// An output row is a weighted sum of input rows, resampled along itself.
class UpsampleKernel {
 public:
  Status prepare(const CallArguments& call) {
    const bool is_vec = call.schema().find("input") >= 0;
    const TensorMeta& in = call.tensor(is_vec ? "input" : "self").meta();
    const TensorMeta& out = call.result(0);
    out_slot_ = call.result_slot(0);
    dtype_ = in.dtype;
    item_ = static_cast<std::int64_t>(size_of(dtype_));
    const std::size_t rank = in.rank() - 2;
    const Resampling method = method_of(call.base_name());
    is_move_ = method == Resampling::nearest || method == Resampling::nearest_exact;
    if (element_count(out) != 0 && element_count(in) == 0)
      return call.context().fail("an input of sizes ", in.sizes, " has no elements to resample");
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t own = d + rank - 3;  // wraps for the axes put in front
      if (d + rank < 3) {
        TREADLE_TRY(axes_[d], make_resample_axis<float>({}));
        continue;
      }
      ResampleRequest request{in.sizes[2 + own],
                              out.sizes[2 + own],
                              scale_of(call, own, rank),
                              method,
                              call.get<bool>("align_corners", false),
                              call.base_name().ends_with("_aa"),
                              rank == 2};
      TREADLE_TRY(axes_[d], dtype_ == DType::float64 ? make_resample_axis<double>(request)
                                                     : make_resample_axis<float>(request));
      in_strides_[d] = in.strides[2 + own];
      out_strides_[d] = out.strides[2 + own];
    }
    channels_ = out.sizes[1];
    planes_ = out.sizes[0] * channels_;
    in_batch_ = in.strides[0], in_channel_ = in.strides[1];
    out_batch_ = out.strides[0], out_channel_ = out.strides[1];
    TREADLE_CHECK(choose(call.context()));
    call.context().request_scratch(static_cast<std::size_t>(slots() * row_bytes()));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const std::byte* const in = tensors[0]->bytes();
    std::byte* const out = tensors[out_slot_]->bytes();
    const std::int64_t count = rows(), pieces = slots();
    const std::int64_t taps = axes_[0].taps * axes_[1].taps;
    const std::int64_t cost = (taps * axes_[2].in + axes_[2].taps * axes_[2].out) *
                              std::max<std::int64_t>(count / std::max<std::int64_t>(pieces, 1), 1);
    context.parallel_for(pieces, std::max<std::int64_t>(1, 40000 / std::max<std::int64_t>(cost, 1)),
                         [&](std::int64_t begin, std::int64_t end) {
                           for (std::int64_t p = begin; p < end; ++p)
                             for (std::int64_t i = count * p / pieces; i < count * (p + 1) / pieces;
                                  ++i)
                               run_row_(*this, in, out, i, context.scratch() + p * row_bytes());
                         });
    return {};
  }

 private:
  using RunRow = void (*)(const UpsampleKernel&, const std::byte*, std::byte*, std::int64_t,
                          std::byte*);

  static Resampling method_of(std::string_view name) noexcept {
    if (name.find("nearest_exact") != name.npos) return Resampling::nearest_exact;
    if (name.find("nearest") != name.npos) return Resampling::nearest;
    return name.find("cubic") != name.npos ? Resampling::cubic : Resampling::linear;
  }

  /// The scale that the call states for spatial axis `d`.
  static std::optional<double> scale_of(const CallArguments& call, std::size_t d,
                                        std::size_t rank) {
    if (const auto factors = call.get<std::vector<double>>("scale_factors"))
      return d < factors->size() ? std::optional((*factors)[d]) : std::nullopt;
    if (rank == 1) return call.get<double>("scales");
    constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
    return call.get<double>(names[d + 3 - rank]);
  }

  [[nodiscard]] std::int64_t rows() const noexcept { return planes_ * axes_[0].out * axes_[1].out; }
  [[nodiscard]] std::int64_t slots() const noexcept { return std::min<std::int64_t>(rows(), 16); }
  /// Bytes of the weighted sum of input rows, in the compute type.
  [[nodiscard]] std::int64_t row_bytes() const noexcept {
    return is_move_ ? 0 : (axes_[2].in * 8 + 63) / 64 * 64;
  }

  /// First elements of the rows that output row `i` takes and gives.
  struct Row {
    std::int64_t in, out, first, second;
  };
  [[nodiscard]] Row locate(std::int64_t i) const noexcept {
    Row row;
    row.second = i % axes_[1].out;
    i /= axes_[1].out;
    row.first = i % axes_[0].out;
    i /= axes_[0].out;
    const std::int64_t batch = i / channels_, channel = i % channels_;
    row.in = batch * in_batch_ + channel * in_channel_;
    row.out = batch * out_batch_ + channel * out_channel_ + row.first * out_strides_[0] +
              row.second * out_strides_[1];
    return row;
  }

  template <std::size_t Bytes>
  static void move_row(const UpsampleKernel& k, const std::byte* in, std::byte* out, std::int64_t i,
                       std::byte*) {
    const Row row = k.locate(i);
    constexpr auto item = static_cast<std::int64_t>(Bytes);
    const auto at = [](const ResampleAxis& axis, std::int64_t position) {
      return axis.positions[static_cast<std::size_t>(position)];
    };
    in += (row.in + at(k.axes_[0], row.first) * k.in_strides_[0] +
           at(k.axes_[1], row.second) * k.in_strides_[1]) *
          item;
    out += row.out * item;
    const std::int64_t* positions = k.axes_[2].positions.data();
    for (std::int64_t o = 0; o < k.axes_[2].out; ++o)
      std::memcpy(out + o * k.out_strides_[2] * item, in + positions[o] * k.in_strides_[2] * item,
                  Bytes);
  }

  template <class T>
  static T store(double value) noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>)
      return static_cast<T>(std::clamp(std::nearbyint(value), 0.0, 255.0));
    else
      return static_cast<T>(value);
  }
  template <class T>
  static T store(float value) noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>)
      return store<T>(static_cast<double>(value));
    else
      return static_cast<T>(value);
  }

  template <class T, class Compute>
  static void mix_row(const UpsampleKernel& k, const std::byte* in, std::byte* out, std::int64_t i,
                      std::byte* scratch) {
    const Row row = k.locate(i);
    Compute* const sum = reinterpret_cast<Compute*>(scratch);
    const std::int64_t step = k.in_strides_[2];
    const ResampleAxis &a = k.axes_[0], &b = k.axes_[1], &c = k.axes_[2];
    std::fill(sum, sum + c.in, Compute{0});
    for (std::int64_t s = row.first * a.taps; s < (row.first + 1) * a.taps; ++s)
      for (std::int64_t t = row.second * b.taps; t < (row.second + 1) * b.taps; ++t) {
        const Compute weight = a.typed_weights<Compute>()[s] * b.typed_weights<Compute>()[t];
        if (weight == Compute{0}) continue;
        const T* from = reinterpret_cast<const T*>(in) + row.in +
                        a.positions[static_cast<std::size_t>(s)] * k.in_strides_[0] +
                        b.positions[static_cast<std::size_t>(t)] * k.in_strides_[1];
        for (std::int64_t j = 0; j < c.in; ++j)
          sum[j] += weight * static_cast<Compute>(from[j * step]);
      }
    T* const to = reinterpret_cast<T*>(out) + row.out;
    const Compute* weights = c.typed_weights<Compute>();
    const std::int64_t* positions = c.positions.data();
    for (std::int64_t o = 0; o < c.out; ++o, weights += c.taps, positions += c.taps) {
      Compute value = 0;
      for (std::int64_t t = 0; t < c.taps; ++t) value += weights[t] * sum[positions[t]];
      to[o * k.out_strides_[2]] = store<T>(value);
    }
  }

  Status choose(PrepareContext<Backend>& context) {
    if (is_move_) {
      switch (item_) {
        case 1: run_row_ = &move_row<1>; return {};
        case 2: run_row_ = &move_row<2>; return {};
        case 4: run_row_ = &move_row<4>; return {};
        case 8: run_row_ = &move_row<8>; return {};
        default: run_row_ = &move_row<16>; return {};
      }
    }
    switch (dtype_) {
      case DType::float32: run_row_ = &mix_row<float, float>; return {};
      case DType::float64: run_row_ = &mix_row<double, double>; return {};
      case DType::float16: run_row_ = &mix_row<Half, float>; return {};
      case DType::bfloat16: run_row_ = &mix_row<BFloat16, float>; return {};
      case DType::uint8: run_row_ = &mix_row<std::uint8_t, float>; return {};
      default: return context.fail("can't interpolate ", name(dtype_), " tensors");
    }
  }

  std::array<ResampleAxis, 3> axes_;
  std::array<std::int64_t, 3> in_strides_ = {}, out_strides_ = {};
  std::int64_t planes_ = 0, channels_ = 1, item_ = 1;
  std::int64_t in_batch_ = 0, in_channel_ = 0, out_batch_ = 0, out_channel_ = 0;
  std::size_t out_slot_ = 1;
  DType dtype_ = DType::float32;
  bool is_move_ = false;
  RunRow run_row_ = nullptr;
};

}  // namespace treadle::inline v0::cpu
