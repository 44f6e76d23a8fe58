// The geometry of pooling, one to three dimensions seen as three.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu::detail {

/// A half-open range of places.
struct PlaceRange {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const noexcept { return end - begin; }
};

/// Sizes and window of a call; missing dimensions have size 1 and a window of 1.
struct PoolShape {
  using Triple = std::array<std::int64_t, 3>;

  Triple in{1, 1, 1}, out{1, 1, 1};
  Triple kernel{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1};
  std::int64_t planes = 1;
  bool adaptive = false;

  void read(const CallArguments& arguments, std::size_t dims) {
    const TensorMeta& input = arguments.tensor("self").meta();
    const TensorMeta& result = arguments.result(0);
    const std::size_t outer = input.rank() - dims, skipped = 3 - dims;
    for (std::size_t d = 0; d < outer; ++d) planes *= input.sizes[d];
    for (std::size_t d = 0; d < dims; ++d) {
      in[skipped + d] = input.sizes[outer + d];
      out[skipped + d] = result.sizes[outer + d];
    }
    adaptive = arguments.base_name().find("adaptive") != std::string_view::npos;
    if (adaptive) return;
    read_list(arguments, "kernel_size", dims, kernel);
    stride = kernel;
    read_list(arguments, "stride", dims, stride);
    read_list(arguments, "padding", dims, padding);
    read_list(arguments, "dilation", dims, dilation);
  }

  [[nodiscard]] std::int64_t in_size() const noexcept { return in[0] * in[1] * in[2]; }
  [[nodiscard]] std::int64_t out_size() const noexcept { return out[0] * out[1] * out[2]; }

  /// What output place `o` of an adaptive dimension covers.
  [[nodiscard]] PlaceRange adaptive_range(std::size_t d, std::int64_t o) const noexcept {
    return {o * in[d] / out[d], ((o + 1) * in[d] + out[d] - 1) / out[d]};
  }
  /// The outputs whose tap `k` of the window lies inside the input.
  [[nodiscard]] PlaceRange outputs_of_tap(std::size_t d, std::int64_t k) const noexcept {
    const std::int64_t shift = k * dilation[d] - padding[d];
    const std::int64_t first = shift >= 0 ? 0 : (-shift + stride[d] - 1) / stride[d];
    const std::int64_t room = in[d] - 1 - shift;
    const std::int64_t last = room < 0 ? 0 : room / stride[d] + 1;
    return {first, std::max(first, std::min(out[d], last))};
  }
  /// Input place of tap `k` for output `o`; may lie outside.
  [[nodiscard]] std::int64_t place(std::size_t d, std::int64_t o, std::int64_t k) const noexcept {
    return o * stride[d] + k * dilation[d] - padding[d];
  }
  /// Does the tap lie inside the input?
  [[nodiscard]] bool is_inside(std::size_t d, std::int64_t o, std::int64_t k) const noexcept {
    const std::int64_t at = place(d, o, k);
    return at >= 0 && at < in[d];
  }
  /// Input places that an average counts, padding included or not.
  [[nodiscard]] std::int64_t counted(std::size_t d, std::int64_t o,
                                     bool with_padding) const noexcept {
    const std::int64_t begin = o * stride[d] - padding[d];
    const std::int64_t end = std::min(begin + kernel[d], in[d] + padding[d]);
    return with_padding ? end - begin : std::min(end, in[d]) - std::max<std::int64_t>(begin, 0);
  }

 private:
  static void read_list(const CallArguments& arguments, std::string_view name, std::size_t dims,
                        Triple& to) {
    const auto list = arguments.integers(name);
    if (list.empty()) return;
    for (std::size_t d = 0; d < dims; ++d) to[3 - dims + d] = list.size() == 1 ? list[0] : list[d];
  }
};

}  // namespace treadle::inline v0::cpu::detail
