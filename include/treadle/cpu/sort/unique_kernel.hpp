// The kernel of finding unique elements or slices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/sort/order_key.hpp>

namespace treadle::inline v0::cpu::detail {

/// Kernel of `_unique2`, `unique_dim`, `unique_consecutive`. An item is an element, or a slice of
/// the dimension. Allocates: the number of results depends on the elements.
class UniqueKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    self_ = arguments.tensor("self").meta();
    sorts_ = arguments.base_name() != "unique_consecutive";
    const auto dim = arguments.get<std::int64_t>("dim");
    by_slices_ = dim && self_.rank() > 0;
    dim_ = by_slices_ ? wrap_dim(*dim, self_.rank()) : 0;
    const bool all = dim && (sorts_ || self_.rank() != 1 || *dim != 0);
    wants_inverse_ = all || arguments.get<bool>("return_inverse", false);
    wants_counts_ = all || arguments.get<bool>("return_counts", false);
    items_ = by_slices_ ? self_.sizes[dim_] : element_count(self_);
    width_ = 1;
    std::vector<std::size_t> order(self_.rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (by_slices_) {
      const auto at = order.begin() + static_cast<std::ptrdiff_t>(dim_);
      std::rotate(order.begin(), at, at + 1);
      for (std::size_t d = 0; d < self_.rank(); ++d)
        if (d != dim_) width_ *= self_.sizes[d];
    }
    type_ = compute_type(self_.dtype);
    store_ = store_loop(type_, self_.dtype);
    if (type_ == ComputeType::complex128)
      return arguments.context().fail("not defined for ", name(self_.dtype));
    Packer packer(arguments.context());
    TREADLE_TRY(input_, packer.input(self_, type_, order));
    result_ = arguments.result_slot(0);
    has_counts_ = arguments.result_count() > 2;
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const void* in = input_.load(context, *tensors[0]);
    const std::vector<std::int64_t> keys = keys_of(in);
    const auto item = [&](std::int64_t i) { return keys.data() + i * width_; };
    const auto less = [&](std::int64_t a, std::int64_t b) {
      const auto [x, y] = std::mismatch(item(a), item(a) + width_, item(b));
      return x == item(a) + width_ ? a < b : *x < *y;
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(items_));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    if (sorts_) std::sort(order.begin(), order.end(), less);
    std::vector<std::int64_t> firsts, counts, inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool same = i > 0 && equal(item(order[i]), item(order[i - 1]));
      if (!same) {
        firsts.push_back(order[i]);
        counts.push_back(0);
      }
      ++counts.back();
      inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(firsts.size()) - 1;
    }
    TREADLE_CHECK(
        write_values(context, *tensors[result_], static_cast<const std::byte*>(in), firsts));
    if (wants_inverse_)
      TREADLE_CHECK(write_numbers(context, *tensors[result_ + 1], inverse,
                                  by_slices_ ? Dims{items_} : self_.sizes));
    if (has_counts_ && wants_counts_)
      TREADLE_CHECK(write_numbers(context, *tensors[result_ + 2], counts,
                                  {static_cast<std::int64_t>(counts.size())}));
    return {};
  }

  [[nodiscard]] std::vector<std::int64_t> keys_of(const void* in) const {
    std::vector<std::int64_t> keys(static_cast<std::size_t>(items_ * width_));
    const auto fill = [&](const auto* elements) {
      std::transform(elements, elements + keys.size(), keys.begin(),
                     [](auto x) { return order_key(x); });
    };
    if (type_ == ComputeType::int64)
      fill(static_cast<const std::int64_t*>(in));
    else if (type_ == ComputeType::float32)
      fill(static_cast<const float*>(in));
    else
      fill(static_cast<const double*>(in));
    return keys;
  }

  /// Items that have NaN equal nothing.
  [[nodiscard]] bool equal(const std::int64_t* a, const std::int64_t* b) const noexcept {
    return std::equal(a, a + width_, b) &&
           (type_ == ComputeType::int64 || std::find(a, a + width_, nan_key) == a + width_);
  }

  Status write_values(RunContext<Backend>& context, Tensor& out, const std::byte* in,
                      const std::vector<std::int64_t>& firsts) const {
    const auto count = static_cast<std::int64_t>(firsts.size());
    Dims sizes = by_slices_ ? self_.sizes : Dims{count};
    if (by_slices_) sizes[dim_] = count;
    TREADLE_CHECK(context.allocate(out, make_meta(self_.dtype, sizes, self_.device)));
    std::int64_t inner = 1;
    for (std::size_t d = dim_ + 1; by_slices_ && d < self_.rank(); ++d) inner *= self_.sizes[d];
    const std::int64_t outer = inner == 0 ? 0 : width_ / inner;
    const auto from = static_cast<std::int64_t>(size_of(type_));
    const auto to = static_cast<std::int64_t>(size_of(self_.dtype));
    for (std::int64_t u = 0; u < count; ++u) {
      const std::byte* item = in + firsts[static_cast<std::size_t>(u)] * width_ * from;
      for (std::int64_t o = 0; o < outer; ++o)
        store_(item + o * inner * from, from, out.bytes() + (o * count + u) * inner * to, to,
               inner);
    }
    return {};
  }

  static Status write_numbers(RunContext<Backend>& context, Tensor& out,
                              const std::vector<std::int64_t>& numbers, const Dims& sizes) {
    // The inverse has a known size and is there already.
    if (out.is_empty()) TREADLE_CHECK(context.allocate(out, make_meta(DType::int64, sizes)));
    std::copy(numbers.begin(), numbers.end(), out.data<std::int64_t>());
    return {};
  }

  TensorMeta self_;
  ComputeType type_ = ComputeType::float32;
  ConvertLoop store_ = nullptr;
  Packed input_;
  std::size_t dim_ = 0, result_ = 0;
  std::int64_t items_ = 0, width_ = 1;
  bool sorts_ = true, by_slices_ = false, has_counts_ = false;
  bool wants_inverse_ = false, wants_counts_ = false;
};

}  // namespace treadle::inline v0::cpu::detail
