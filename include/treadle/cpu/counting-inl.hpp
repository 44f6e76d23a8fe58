// Definitions of kernels that count, pick boxes or take numbers apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/core/sort_places.hpp>
#include <treadle/cpu/counting.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// The elements of a vector or matrix, row by row, as numbers of a compute type.
template <class T>
Result<std::vector<T>> elements_of(const RunContext<Backend>& context, const Tensor& tensor,
                                   ComputeType type) {
  std::vector<T> out(static_cast<std::size_t>(tensor.count()));
  const auto loop = load_loop(tensor.dtype(), type);
  if (!loop) return context.fail("can't read ", name(tensor.dtype()), " numbers");
  const bool matrix = tensor.rank() == 2;
  const auto item = static_cast<std::int64_t>(size_of(tensor.dtype()));
  const std::int64_t rows = matrix ? tensor.sizes()[0] : 1;
  const std::int64_t n = tensor.rank() == 0 ? 1 : tensor.sizes()[matrix ? 1 : 0];
  const std::int64_t step = tensor.rank() == 0 ? 0 : tensor.strides()[matrix ? 1 : 0];
  for (std::int64_t i = 0; i < rows; ++i)
    loop(tensor.bytes() + (matrix ? i * tensor.strides()[0] * item : 0), step * item,
         reinterpret_cast<std::byte*>(out.data() + i * n), sizeof(T), n);
  return out;
}

/// `bincount`: how often each number occurs, or the sums of its weights.
inline Status bincount(RunContext<Backend>& context, const Tensor& self, const Tensor* weights,
                       std::int64_t least, Tensor& out) {
  TREADLE_TRY(const auto numbers, elements_of<std::int64_t>(context, self, ComputeType::int64));
  std::int64_t size = std::max<std::int64_t>(least, 0);
  for (const std::int64_t n : numbers) {
    if (n < 0 || n > (std::int64_t{1} << 40))
      return context.fail("expected numbers of at least 0, found ", n);
    size = std::max(size, n + 1);
  }
  const bool weighted = weights && !weights->is_empty();
  const DType dtype = !weighted                            ? DType::int64
                      : weights->dtype() == DType::float32 ? DType::float32
                                                           : DType::float64;
  TREADLE_CHECK(context.allocate(out, make_meta(dtype, {size})));
  std::memset(out.bytes(), 0, static_cast<std::size_t>(size) * size_of(dtype));
  if (!weighted) {
    for (const std::int64_t n : numbers) ++out.data<std::int64_t>()[n];
    return {};
  }
  TREADLE_TRY(const auto sums, elements_of<double>(context, *weights, ComputeType::float64));
  if (sums.size() != numbers.size())
    return context.fail("expected ", numbers.size(), " weights, found ", sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (dtype == DType::float32)
      out.data<float>()[numbers[i]] += static_cast<float>(sums[i]);
    else
      out.data<double>()[numbers[i]] += sums[i];
  }
  return {};
}

/// Corners of boxes (x1, y1, x2, y2), and how far two of them overlap.
template <class T>
struct BoxList {
  const std::vector<T>& corners;

  [[nodiscard]] T area(std::size_t i) const noexcept {
    const T* b = corners.data() + 4 * i;
    return (b[2] - b[0]) * (b[3] - b[1]);
  }
  /// Intersection over union.
  [[nodiscard]] T overlap(std::size_t i, std::size_t j) const noexcept {
    const T *a = corners.data() + 4 * i, *b = corners.data() + 4 * j;
    const T width = std::max(T(0), std::min(a[2], b[2]) - std::max(a[0], b[0]));
    const T height = std::max(T(0), std::min(a[3], b[3]) - std::max(a[1], b[1]));
    const T shared = width * height;
    return shared / (area(i) + area(j) - shared);
  }
};

/// Greedy suppression: the best box stays, those that overlap it by more than the threshold go.
template <class T>
std::vector<std::int64_t> kept_boxes(const BoxList<T>& boxes, const std::vector<double>& scores,
                                     double threshold) {
  const std::vector<std::size_t> order =
      sorted_places(scores.size(), [&](std::size_t a, std::size_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
      });
  std::vector<bool> gone(scores.size(), false);
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (gone[order[i]]) continue;
    kept.push_back(static_cast<std::int64_t>(order[i]));
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (!gone[order[j]] && static_cast<double>(boxes.overlap(order[i], order[j])) > threshold)
        gone[order[j]] = true;
  }
  return kept;
}

/// `torchvision::nms`: places of the boxes that stay, the best first.
inline Status suppress_boxes(RunContext<Backend>& context, const Tensor& boxes,
                             const Tensor& scores, double threshold, Tensor& out) {
  if (boxes.count() != 4 * scores.count())
    return context.fail("expected ", scores.count(), " boxes, found sizes ", boxes.sizes());
  TREADLE_TRY(const auto ranks, elements_of<double>(context, scores, ComputeType::float64));
  std::vector<std::int64_t> kept;
  if (boxes.dtype() == DType::float64) {
    TREADLE_TRY(const auto corners, elements_of<double>(context, boxes, ComputeType::float64));
    kept = kept_boxes(BoxList<double>{corners}, ranks, threshold);
  } else {
    TREADLE_TRY(const auto corners, elements_of<float>(context, boxes, ComputeType::float32));
    kept = kept_boxes(BoxList<float>{corners}, ranks, threshold);
  }
  const auto count = static_cast<std::int64_t>(kept.size());
  TREADLE_CHECK(context.allocate(out, make_meta(DType::int64, {count})));
  if (count > 0) std::memcpy(out.bytes(), kept.data(), kept.size() * sizeof(std::int64_t));
  return {};
}

/// `frexp`: x = mantissa * 2^exponent with a mantissa in [0.5, 1).
class FrexpKernel {
 public:
  Status prepare(const CallArguments& call) {
    const TensorMeta& self = call.tensor("self").meta();
    count_ = element_count(self);
    Packer packer(call.context());
    TREADLE_TRY(in_, packer.input(self, ComputeType::float64));
    TREADLE_TRY(mantissa_, packer.output(call.result(0), ComputeType::float64));
    TREADLE_TRY(exponent_, packer.output(call.result(1), ComputeType::int64));
    return {};
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* in = static_cast<const double*>(in_.load(context, *tensors[0]));
    auto* mantissa = static_cast<double*>(mantissa_.target(context, *tensors[1]));
    auto* exponent = static_cast<std::int64_t*>(exponent_.target(context, *tensors[2]));
    for (std::int64_t i = 0; i < count_; ++i) {
      int power = 0;
      mantissa[i] = std::frexp(in[i], &power);
      exponent[i] = power;
    }
    mantissa_.store(context, *tensors[1]);
    exponent_.store(context, *tensors[2]);
    return {};
  }

 private:
  std::int64_t count_ = 0;
  Packed in_, mantissa_, exponent_;
};

}  // namespace detail

TREADLE_INLINE KernelRegistry<Backend> counting_kernels() {
  KernelRegistry<Backend> registry;
  registry
      .add<"aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor">(
          &detail::bincount)
      .add<"torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor">(
          &detail::suppress_boxes)
      .add_entry(planned_kernel<detail::FrexpKernel>(
          "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"));
  return registry;
}

}  // namespace treadle::inline v0::cpu
