// Kernels that rearrange elements by one or several strided copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// A strided copy in the making: sizes with the byte strides of both sides.
struct CopyLayout {
  Dims sizes, from, to;
  std::int64_t from_offset = 0, to_offset = 0;

  void add(std::int64_t size, std::int64_t from_stride, std::int64_t to_stride) {
    sizes.push_back(size);
    from.push_back(from_stride);
    to.push_back(to_stride);
  }
  [[nodiscard]] CopyPlan plan(DType dtype) const {
    return {size_of(dtype), sizes, from, to, from_offset, to_offset};
  }
};

namespace detail {

inline std::int64_t item_of(DType dtype) { return static_cast<std::int64_t>(size_of(dtype)); }

/// Writes zeros everywhere.
inline CopyPlan zero_plan(const TensorMeta& out) {
  return {size_of(out.dtype), out.sizes, Dims(out.rank(), 0), CopyPlan::byte_strides(out)};
}
inline constexpr std::byte zero_element[16] = {};

inline std::size_t wrapped(std::int64_t dim, std::size_t rank) {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

}  // namespace detail

/// What kernels share that zero their result if asked to, then copy once.
struct CopyOnce {
  struct Prepared {
    CopyPlan zero, copy;
  };

  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    prepared.zero.run(context.parallel_for, detail::zero_element, out.bytes());
    prepared.copy.run(context.parallel_for, self.bytes(), out.bytes());
    return {};
  }

 protected:
  static Prepared plan(const CopyLayout& layout, bool zeroes, const TensorMeta& out) {
    Prepared prepared;
    if (zeroes) prepared.zero = detail::zero_plan(out);
    prepared.copy = layout.plan(out.dtype);
    return prepared;
  }
};

/// One of them. `Layout` says what it copies from where: `static CopyLayout of(self, out,
/// arguments…)`.
template <class Layout>
struct OneCopy : CopyOnce {
  template <class... Arguments>
  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const Arguments&... arguments) const {
    const TensorMeta& out = context.results()[0].meta();
    return plan(Layout::of(self.meta(), out, arguments...), Layout::zeroes(self.meta()), out);
  }
};

struct PlainLayout {
  static bool zeroes(const TensorMeta&) { return false; }
};

/// `repeat`, `tile`.
struct RepeatLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::span<const std::int64_t>,
                       const TensorInfo<Backend>&) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    const std::size_t lead = out.rank() - self.rank();
    CopyLayout layout;
    for (std::size_t i = 0; i < out.rank(); ++i) {
      const std::int64_t size = i < lead ? 1 : self.sizes[i - lead];
      layout.add(size == 0 ? 0 : out.sizes[i] / size, 0, to[i] * size);
      layout.add(size, i < lead ? 0 : from[i - lead], to[i]);
    }
    return layout;
  }
};

/// `repeat_interleave.self_int`.
struct InterleaveLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t repeats,
                       std::optional<std::int64_t> dim, std::optional<std::int64_t>,
                       const TensorInfo<Backend>&) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    CopyLayout layout;
    if (!dim) {
      const Dims places = contiguous_strides(self.sizes);
      for (std::size_t i = 0; i < self.rank(); ++i)
        layout.add(self.sizes[i], from[i], places[i] * repeats * to[0]);
      layout.add(repeats, 0, to[0]);
      return layout;
    }
    const std::size_t d = detail::wrapped(*dim, out.rank());
    for (std::size_t i = 0; i < out.rank(); ++i) {
      const std::int64_t size = self.rank() == 0 ? 1 : self.sizes[i];
      const std::int64_t stride = self.rank() == 0 ? 0 : from[i];
      layout.add(size, stride, i == d ? to[i] * repeats : to[i]);
      if (i == d) layout.add(repeats, 0, to[i]);
    }
    return layout;
  }
};

/// Reads a dimension backwards.
inline void reverse(CopyLayout& layout, std::size_t d) {
  layout.from_offset += std::max<std::int64_t>(layout.sizes[d] - 1, 0) * layout.from[d];
  layout.from[d] = -layout.from[d];
}

inline CopyLayout same_layout(const TensorMeta& self, const TensorMeta& out) {
  CopyLayout layout;
  layout.sizes = self.sizes;
  layout.from = CopyPlan::byte_strides(self);
  layout.to = CopyPlan::byte_strides(out);
  return layout;
}

/// `flip`, and `fliplr`, `flipud`, which flip `Axis`.
struct FlipLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out,
                       std::span<const std::int64_t> dims, const TensorInfo<Backend>&) {
    CopyLayout layout = same_layout(self, out);
    for (std::int64_t dim : dims)
      if (self.rank() > 0) reverse(layout, detail::wrapped(dim, self.rank()));
    return layout;
  }
};
template <std::size_t Axis>
struct FlipAxisLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, const TensorInfo<Backend>&) {
    CopyLayout layout = same_layout(self, out);
    reverse(layout, Axis);
    return layout;
  }
};

/// `rot90`.
struct RotateLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t k,
                       std::span<const std::int64_t> dims, const TensorInfo<Backend>&) {
    CopyLayout layout = same_layout(self, out);
    const std::size_t a = detail::wrapped(dims[0], self.rank());
    const std::size_t b = detail::wrapped(dims[1], self.rank());
    const std::int64_t turns = (k % 4 + 4) % 4;
    if (turns == 1 || turns == 2) reverse(layout, b);
    if (turns == 2 || turns == 3) reverse(layout, a);
    if (turns % 2 == 1) std::swap(layout.to[a], layout.to[b]);
    return layout;
  }
};

/// `diag`.
struct DiagLayout {
  static bool zeroes(const TensorMeta& self) { return self.rank() == 1; }
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t offset,
                       const TensorInfo<Backend>&) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    const Dims& square = self.rank() == 1 ? to : from;
    const std::int64_t start = offset >= 0 ? offset * square[1] : -offset * square[0];
    CopyLayout layout;
    if (self.rank() == 1) {
      layout.add(self.sizes[0], from[0], to[0] + to[1]);
      layout.to_offset = start;
    } else {
      layout.add(out.sizes[0], from[0] + from[1], to[0]);
      layout.from_offset = start;
    }
    return layout;
  }
};

/// `diag_embed`.
struct DiagEmbedLayout {
  static bool zeroes(const TensorMeta&) { return true; }
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t offset,
                       std::int64_t dim1, std::int64_t dim2, const TensorInfo<Backend>&) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    const std::size_t a = detail::wrapped(dim1, out.rank()), b = detail::wrapped(dim2, out.rank());
    CopyLayout layout;
    std::size_t next = 0;
    for (std::size_t i = 0; i < out.rank(); ++i) {
      if (i == a || i == b) continue;
      layout.add(self.sizes[next], from[next], to[i]);
      ++next;
    }
    layout.add(self.sizes.back(), from.back(), to[a] + to[b]);
    layout.to_offset = offset >= 0 ? offset * to[b] : -offset * to[a];
    return layout;
  }
};

/// `pixel_shuffle` (`Up`) and `pixel_unshuffle`.
template <bool Up>
struct PixelLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t f,
                       const TensorInfo<Backend>&) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    const std::size_t rank = self.rank(), c = rank - 3;
    const Dims &deep = Up ? from : to, &wide = Up ? to : from;
    const Dims& small = Up ? out.sizes : self.sizes;  // few channels, many pixels
    CopyLayout layout;
    const auto add = [&](std::int64_t size, std::int64_t deep_stride, std::int64_t wide_stride) {
      layout.add(size, Up ? deep_stride : wide_stride, Up ? wide_stride : deep_stride);
    };
    for (std::size_t i = 0; i < c; ++i) add(self.sizes[i], deep[i], wide[i]);
    add(small[c], deep[c] * f * f, wide[c]);
    add(small[c + 1] / f, deep[c + 1], wide[c + 1] * f);
    add(f, deep[c] * f, wide[c + 1]);
    add(small[c + 2] / f, deep[c + 2], wide[c + 2] * f);
    add(f, deep[c], wide[c + 2]);
    return layout;
  }
};

/// `channel_shuffle`.
struct ChannelShuffleLayout : PlainLayout {
  static CopyLayout of(const TensorMeta& self, const TensorMeta& out, std::int64_t groups,
                       const TensorInfo<Backend>&) {
    const CopyLayout same = same_layout(self, out);
    CopyLayout layout;
    for (std::size_t i = 0; i < self.rank(); ++i) {
      if (i != 1) {
        layout.add(same.sizes[i], same.from[i], same.to[i]);
        continue;
      }
      const std::int64_t each = self.sizes[1] / groups;
      layout.add(each, same.from[1], same.to[1] * groups);
      layout.add(groups, same.from[1] * each, same.to[1]);
    }
    return layout;
  }
};

}  // namespace treadle::inline v0::cpu
