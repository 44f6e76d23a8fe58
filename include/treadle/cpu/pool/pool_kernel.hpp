// The kernel of every pooling operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/cpu/pool/pool_loops.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

using PlaneLoop = void (*)(const PoolParameters& parameters, const void* in, void* out,
                           std::int64_t* places);

template <class T, bool Largest, bool Adaptive>
void pool_plane(const PoolParameters& p, const void* in, void* out, std::int64_t* places) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(out);
  if constexpr (Adaptive)
    Largest ? adaptive_max_plane(p, from, to, places) : adaptive_average_plane(p, from, to, places);
  else
    Largest ? max_pool_plane(p, from, to, places) : average_pool_plane(p, from, to, places);
}

template <class T>
PlaneLoop plane_loop(bool largest, bool adaptive) noexcept {
  if (adaptive) return largest ? &pool_plane<T, true, true> : &pool_plane<T, false, true>;
  return largest ? &pool_plane<T, true, false> : &pool_plane<T, false, false>;
}

/// Pools plane by plane; missing leading dimensions count as 1.
class PoolKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const std::string_view name = arguments.base_name();
    const std::size_t dims = static_cast<std::size_t>(name[name.find("pool") + 4] - '0');
    parameters_.shape.read(arguments, dims);
    parameters_.count_padding = arguments.get<bool>("count_include_pad", true);
    parameters_.divisor = arguments.get<std::int64_t>("divisor_override", 0);
    parameters_.math = &simd::vector_reductions(simd::detect());
    const bool largest = name.find("max") != name.npos;
    const auto& input = arguments.tensor("self").meta();
    const auto type = compute_type(input.dtype);
    element_size_ = static_cast<std::int64_t>(size_of(type));
    const bool adaptive = parameters_.shape.adaptive;
    switch (type) {
      case ComputeType::float32: loop_ = plane_loop<float>(largest, adaptive); break;
      case ComputeType::float64: loop_ = plane_loop<double>(largest, adaptive); break;
      case ComputeType::int64: loop_ = plane_loop<std::int64_t>(largest, adaptive); break;
      default: return arguments.context().fail("not defined for ", treadle::name(input.dtype));
    }
    Packer packer(arguments.context());
    TREADLE_TRY(input_, packer.input(input, type));
    TREADLE_TRY(out_, packer.output(arguments.result(0), type));
    out_slot_ = arguments.result_slot(0);
    has_places_ = arguments.result_count() > 1;
    grain_ = std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(1, work_per_plane()));
    if (!has_places_) return {};
    TREADLE_TRY(places_, packer.output(arguments.result(1), ComputeType::int64));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* in = static_cast<const std::byte*>(input_.load(context, *tensors[0]));
    auto* out = static_cast<std::byte*>(out_.target(context, *tensors[out_slot_]));
    auto* places =
        has_places_ ? static_cast<std::int64_t*>(places_.target(context, *tensors[out_slot_ + 1]))
                    : nullptr;
    const std::int64_t in_size = parameters_.shape.in_size();
    const std::int64_t out_size = parameters_.shape.out_size();
    context.parallel_for(
        parameters_.shape.planes, grain_, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t p = begin; p < end; ++p)
            loop_(parameters_, in + p * in_size * element_size_, out + p * out_size * element_size_,
                  places ? places + p * out_size : nullptr);
        });
    out_.store(context, *tensors[out_slot_]);
    if (places) places_.store(context, *tensors[out_slot_ + 1]);
    return {};
  }

 private:
  [[nodiscard]] std::int64_t work_per_plane() const noexcept {
    const PoolShape& s = parameters_.shape;
    if (s.adaptive) return s.in_size() + s.out_size();
    return s.out_size() * s.kernel[0] * s.kernel[1] * s.kernel[2];
  }

  PoolParameters parameters_;
  PlaneLoop loop_ = nullptr;
  Packed input_, out_, places_;
  std::size_t out_slot_ = 0;
  bool has_places_ = false;
  std::int64_t element_size_ = 0, grain_ = 1;
};

}  // namespace treadle::inline v0::cpu::detail
