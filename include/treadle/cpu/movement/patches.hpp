// Kernels between images and the columns of their sliding windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/movement/arrange.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// `im2col` copies windows out, `col2im` (`back`) adds them up.
struct Patches {
  bool back = false;

  struct Prepared {
    CopyPlan zero;
    CombineRow row = nullptr;
    Dims image, image_strides;    ///< images, channels, height, width; bytes
    Dims column, column_strides;  ///< images, channels * kernel, windows; bytes
    std::int64_t kernel[2] = {}, dilation[2] = {}, padding[2] = {}, stride[2] = {}, windows[2] = {};
  };
  using Numbers = std::span<const std::int64_t>;
  using Info = TensorInfo<Backend>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, Numbers kernel,
                           Numbers dilation, Numbers padding, Numbers stride,
                           const Info& out) const {
    return make(context, self.meta(), out.meta(), kernel, dilation, padding, stride, out.meta());
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, Numbers,
                           Numbers kernel, Numbers dilation, Numbers padding, Numbers stride,
                           const Info& out) const {
    return make(context, out.meta(), self.meta(), kernel, dilation, padding, stride, out.meta());
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    prepared.zero.run(context.parallel_for, detail::zero_element, out.bytes());
    const std::int64_t planes = prepared.image[0] * prepared.image[1];
    context.parallel_for(planes, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p)
        run_plane(prepared, p / prepared.image[1], p % prepared.image[1], self.bytes(),
                  out.bytes());
    });
    return {};
  }

 private:
  [[nodiscard]] Result<Prepared> make(PrepareContext<Backend>& context, const TensorMeta& image,
                                      const TensorMeta& column, Numbers kernel, Numbers dilation,
                                      Numbers padding, Numbers stride,
                                      const TensorMeta& out) const {
    Prepared p;
    p.zero = detail::zero_plan(out);
    p.row = combine_row(back ? Combine::add : Combine::replace, out.dtype);
    if (!p.row) return context.fail("can't add elements of ", name(out.dtype));
    const auto batched = [](const TensorMeta& meta, std::size_t rank, Dims& sizes, Dims& strides) {
      sizes = meta.sizes;
      strides = CopyPlan::byte_strides(meta);
      if (sizes.size() == rank) return;
      sizes.insert(sizes.begin(), 1);
      strides.insert(strides.begin(), 0);
    };
    batched(image, 4, p.image, p.image_strides);
    batched(column, 3, p.column, p.column_strides);
    for (std::size_t i = 0; i < 2; ++i) {
      p.kernel[i] = kernel[i];
      p.dilation[i] = dilation[i];
      p.padding[i] = padding[i];
      p.stride[i] = stride[i];
      p.windows[i] = (p.image[2 + i] + 2 * p.padding[i] - p.dilation[i] * (p.kernel[i] - 1) - 1) /
                         p.stride[i] +
                     1;
    }
    return p;
  }

  void run_plane(const Prepared& p, std::int64_t image, std::int64_t channel, const std::byte* from,
                 std::byte* to) const {
    const std::int64_t image_at = image * p.image_strides[0] + channel * p.image_strides[1];
    for (std::int64_t k = 0; k < p.kernel[0] * p.kernel[1]; ++k) {
      const std::int64_t y = k / p.kernel[1] * p.dilation[0] - p.padding[0];
      const std::int64_t x = k % p.kernel[1] * p.dilation[1] - p.padding[1];
      const std::int64_t column_at =
          image * p.column_strides[0] +
          (channel * p.kernel[0] * p.kernel[1] + k) * p.column_strides[1];
      // Windows whose element is inside of the image.
      const std::int64_t first = x < 0 ? (-x + p.stride[1] - 1) / p.stride[1] : 0;
      const std::int64_t beyond = p.image[3] - x;
      const std::int64_t last =
          std::min(p.windows[1], beyond <= 0 ? 0 : (beyond + p.stride[1] - 1) / p.stride[1]);
      if (first >= last) continue;
      for (std::int64_t row = 0; row < p.windows[0]; ++row) {
        const std::int64_t line = y + row * p.stride[0];
        if (line < 0 || line >= p.image[2]) continue;
        const std::int64_t a =
            image_at + line * p.image_strides[2] + (x + first * p.stride[1]) * p.image_strides[3];
        const std::int64_t b = column_at + (row * p.windows[1] + first) * p.column_strides[2];
        const std::int64_t a_step = p.stride[1] * p.image_strides[3], b_step = p.column_strides[2];
        p.row(to + (back ? a : b), back ? a_step : b_step, from + (back ? b : a),
              back ? b_step : a_step, last - first);
      }
    }
  }
};

}  // namespace treadle::inline v0::cpu
