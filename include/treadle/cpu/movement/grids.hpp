// Kernels that roll, cut triangles, repeat by counts, and lay tensors out in grids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/index/slab_plan.hpp>
#include <treadle/cpu/movement/arrange.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// `roll`.
struct Roll {
  struct Prepared {
    std::vector<CopyPlan> copies;
    CopyPlan pack;  ///< to scratch, where elements roll as one row that is not dense
    bool packs = false;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::span<const std::int64_t> shifts, std::span<const std::int64_t> dims,
                           const TensorInfo<Backend>& out) const {
    Prepared prepared;
    TensorMeta from = self.meta(), to = out.meta();
    std::vector<std::int64_t> shift(std::max<std::size_t>(from.rank(), 1), 0);
    if (dims.empty()) {
      if (!is_contiguous(to)) return context.fail("the result must be contiguous");
      if (!is_contiguous(from)) {
        prepared.packs = true;
        prepared.pack = CopyPlan(from, make_meta(from.dtype, from.sizes));
        context.request_scratch(static_cast<std::size_t>(element_count(from)) *
                                size_of(from.dtype));
      }
      from = to = make_meta(from.dtype, {element_count(from)});
      shift = {shifts.empty() ? 0 : shifts[0]};
    }
    for (std::size_t i = 0; i < std::min(dims.size(), shifts.size()); ++i)
      if (from.rank() > 0) shift[detail::wrapped(dims[i], from.rank())] += shifts[i];
    add_pieces(prepared.copies, same_layout(from, to), shift, 0, from.dtype);
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    const std::byte* from = self.bytes();
    if (prepared.packs) {
      prepared.pack.run(context.parallel_for, from, context.scratch());
      from = context.scratch();
    }
    for (const auto& copy : prepared.copies) copy.run(context.parallel_for, from, out.bytes());
    return {};
  }

 private:
  /// Each rolled dimension falls into two pieces.
  static void add_pieces(std::vector<CopyPlan>& copies, const CopyLayout& layout,
                         const std::vector<std::int64_t>& shift, std::size_t d, DType dtype) {
    if (d >= layout.sizes.size()) {
      copies.push_back(layout.plan(dtype));
      return;
    }
    const std::int64_t size = layout.sizes[d];
    const std::int64_t by = size > 0 ? (shift[d] % size + size) % size : 0;
    if (by == 0) return add_pieces(copies, layout, shift, d + 1, dtype);
    CopyLayout first = layout, second = layout;
    first.sizes[d] = size - by;
    first.to_offset += by * layout.to[d];
    second.sizes[d] = by;
    second.from_offset += (size - by) * layout.from[d];
    add_pieces(copies, first, shift, d + 1, dtype);
    add_pieces(copies, second, shift, d + 1, dtype);
  }
};

/// `tril` (`lower`) and `triu`: the rest is zero.
struct Triangle {
  bool lower = false;

  struct Prepared {
    std::vector<CopyPlan> rows;  ///< one a row: all matrices at once
    std::vector<CopyPlan> gaps;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t diagonal, const TensorInfo<Backend>& out) const {
    const TensorMeta &from = self.meta(), &to = out.meta();
    if (from.rank() < 2) return context.fail("expected at least 2 dimensions");
    Prepared prepared;
    const std::size_t r = from.rank() - 2, c = r + 1;
    for (std::int64_t row = 0; row < from.sizes[r]; ++row) {
      const std::int64_t columns = from.sizes[c];
      const std::int64_t cut = std::clamp<std::int64_t>(
          row + std::clamp(diagonal, -from.sizes[r], columns) + (lower ? 1 : 0), 0, columns);
      prepared.rows.push_back(part(from, to, row, lower ? 0 : cut, lower ? cut : columns, false));
      prepared.gaps.push_back(part(from, to, row, lower ? cut : 0, lower ? columns : cut, true));
    }
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    if (self.bytes() != out.bytes())
      for (const auto& row : prepared.rows)
        row.run(context.parallel_for, self.bytes(), out.bytes());
    for (const auto& gap : prepared.gaps)
      gap.run(context.parallel_for, detail::zero_element, out.bytes());
    return {};
  }

 private:
  static CopyPlan part(const TensorMeta& from, const TensorMeta& to, std::int64_t row,
                       std::int64_t begin, std::int64_t end, bool zero) {
    CopyLayout layout = same_layout(from, to);
    const std::size_t r = from.rank() - 2, c = r + 1;
    layout.sizes[r] = 1;
    layout.sizes[c] = end - begin;
    layout.from_offset = row * layout.from[r] + begin * layout.from[c];
    layout.to_offset = row * layout.to[r] + begin * layout.to[c];
    if (zero) {
      layout.from = Dims(from.rank(), 0);
      layout.from_offset = 0;
    }
    return layout.plan(from.dtype);
  }
};

/// `repeat_interleave` by a tensor of counts.
struct RepeatByCounts {
  struct Prepared {
    TensorMeta self, out;
    std::size_t dim = 0;
    bool known = false;
    TensorMeta packed;
    bool packs = false;
    std::size_t counts_at = 0;  ///< in the scratch memory
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>&, std::optional<std::int64_t> dim,
                           std::optional<std::int64_t> output_size,
                           const TensorInfo<Backend>& out) const {
    Prepared prepared{self.meta(), out.meta(), 0, output_size.has_value(), self.meta(), false};
    if (!dim) {
      prepared.packs = true;
      prepared.packed = make_meta(self.dtype(), self.meta().sizes);
      const std::size_t bytes =
          static_cast<std::size_t>(element_count(self.meta())) * size_of(self.dtype());
      prepared.counts_at = (bytes + 63) / 64 * 64;
      prepared.self = make_meta(self.dtype(), {element_count(self.meta())});
    } else if (self.meta().rank() == 0) {
      prepared.self = make_meta(self.dtype(), {1});
    } else {
      prepared.dim = detail::wrapped(*dim, self.meta().rank());
    }
    context.request_scratch(prepared.counts_at +
                            8 * static_cast<std::size_t>(prepared.self.sizes[prepared.dim]));
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& repeats, Tensor& out) const {
    const std::byte* from = self.bytes();
    if (prepared.packs) {
      CopyPlan(self.meta(), prepared.packed).run(from, context.scratch());
      from = context.scratch();
    }
    const std::size_t d = prepared.dim;
    const std::int64_t size = prepared.self.sizes[d];
    const std::span counts(reinterpret_cast<std::int64_t*>(context.scratch() + prepared.counts_at),
                           static_cast<std::size_t>(size));
    std::int64_t total = 0;
    const auto item = static_cast<std::int64_t>(size_of(repeats.dtype()));
    const bool single = repeats.count() == 1;
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t at = single || repeats.rank() == 0 ? 0 : i * repeats.strides()[0] * item;
      const std::int64_t n = read_index(repeats.bytes() + at, repeats.dtype());
      if (n < 0) return context.fail("repeats can't be negative, found ", n);
      counts[static_cast<std::size_t>(i)] = n;
      if (__builtin_add_overflow(total, n, &total)) return context.fail("repeats overflow");
    }
    TensorMeta meta = prepared.self;
    meta.sizes[d] = total;
    if (!prepared.known) TREADLE_CHECK(context.allocate(out, make_meta(meta.dtype, meta.sizes)));
    if (out.sizes() != meta.sizes)
      return context.fail("repeats make sizes ", meta.sizes, ", 'output_size' says ", out.sizes());
    copy(prepared, from, counts, out);
    return {};
  }

 private:
  static void copy(const Prepared& prepared, const std::byte* from,
                   std::span<const std::int64_t> counts, Tensor& out) {
    CopyLayout layout = same_layout(prepared.self, out.meta());
    const std::size_t d = prepared.dim;
    std::int64_t place = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      CopyLayout piece = layout;
      piece.sizes[d] = counts[i];
      piece.from[d] = 0;
      piece.plan(out.dtype())
          .run(from + static_cast<std::int64_t>(i) * layout.from[d],
               out.bytes() + place * layout.to[d]);
      place += counts[i];
    }
  }
};

/// `repeat_interleave.Tensor`: each position as often as it says.
inline Status repeat_positions(RunContext<Backend>& context, const Tensor& repeats,
                               std::optional<std::int64_t> output_size, Tensor& out) {
  const auto item = static_cast<std::int64_t>(size_of(repeats.dtype()));
  const auto count = [&](std::int64_t i) {
    return read_index(repeats.bytes() + i * repeats.strides()[0] * item, repeats.dtype());
  };
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < repeats.count(); ++i)
    if (count(i) < 0 || __builtin_add_overflow(total, count(i), &total))
      return context.fail("repeats can't be negative or overflow");
  if (!output_size) TREADLE_CHECK(context.allocate(out, make_meta(repeats.dtype(), {total})));
  if (out.count() != total)
    return context.fail("repeats make ", total, " elements, 'output_size' says ", out.count());
  std::int64_t place = 0;
  for (std::int64_t i = 0; i < repeats.count(); ++i)
    for (std::int64_t n = count(i); n > 0; --n, ++place)
      store_element(Scalar(i), out.dtype(), out.bytes() + place * out.strides()[0] * item);
  return {};
}

/// `block_diag` and `cartesian_prod`.
struct Grid {
  bool blocks = true;

  struct Prepared {
    CopyPlan zero;
    std::vector<ConvertCopy> copies;
  };
  using Inputs = std::span<const TensorInfo<Backend>>;

  Result<Prepared> prepare(PrepareContext<Backend>&, Inputs inputs,
                           const TensorInfo<Backend>& out) const {
    Prepared prepared;
    if (blocks) prepared.zero = detail::zero_plan(out.meta());
    const Dims to = CopyPlan::byte_strides(out.meta());
    std::int64_t row = 0, column = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      TensorMeta from = inputs[i].meta(), part = out.meta();
      std::int64_t offset = 0;
      if (blocks) {
        while (from.rank() < 2) {
          from.sizes.insert(from.sizes.begin(), 1);
          from.strides.insert(from.strides.begin(), 0);
        }
        part.sizes = from.sizes;
        offset = row * to[0] + column * to[1];
        row += from.sizes[0];
        column += from.sizes[1];
      } else {
        spread(inputs, i, from, part);
        offset = static_cast<std::int64_t>(i) * to[1];
      }
      TREADLE_TRY(auto copy, ConvertCopy::make(from, part, offset));
      prepared.copies.push_back(std::move(copy));
    }
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context,
             std::span<const Tensor* const> inputs, Tensor& out) const {
    prepared.zero.run(context.parallel_for, detail::zero_element, out.bytes());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      prepared.copies[i].run(context.parallel_for, inputs[i]->bytes(), out.bytes());
    return {};
  }

 private:
  /// Column `i` of the product: the input, repeated over all others.
  static void spread(Inputs inputs, std::size_t i, TensorMeta& from, TensorMeta& part) {
    const std::int64_t step = part.strides[0], stride = from.strides[0];
    from.sizes = from.strides = part.sizes = {};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      from.sizes.push_back(inputs[k].meta().sizes[0]);
      from.strides.push_back(k == i ? stride : 0);
    }
    part.sizes = from.sizes;
    part.strides = contiguous_strides(part.sizes);
    for (auto& s : part.strides) s *= step;
  }
};

/// `one_hot`.
inline Status one_hot(RunContext<Backend>& context, const Tensor& self, std::int64_t num_classes,
                      Tensor& out) {
  const std::int64_t count = self.count();
  // The place of element `n` in row-major order, in elements.
  const auto place = [&self](std::int64_t n, const Dims& strides) {
    std::int64_t offset = 0;
    for (std::size_t i = self.rank(); i-- > 0; n /= self.sizes()[i])
      offset += n % self.sizes()[i] * strides[i];
    return offset;
  };
  const auto class_of = [&](std::int64_t n) {
    return self.data<std::int64_t>()[place(n, self.strides())];
  };
  std::int64_t least = 0, most = -1;
  for (std::int64_t n = 0; n < count; ++n) {
    least = std::min(least, class_of(n));
    most = std::max(most, class_of(n));
  }
  const std::int64_t width = num_classes < 0 ? most + 1 : num_classes;
  if (least < 0 || most >= width || width <= 0)
    return context.fail("classes must be in [0, ", width, "), found ", least < 0 ? least : most);
  Dims sizes = self.sizes();
  sizes.push_back(width);
  if (num_classes < 0) TREADLE_CHECK(context.allocate(out, make_meta(DType::int64, sizes)));
  detail::zero_plan(out.meta()).run(detail::zero_element, out.bytes());
  for (std::int64_t n = 0; n < count; ++n)
    out.data<std::int64_t>()[place(n, out.strides()) + class_of(n) * out.strides().back()] = 1;
  return {};
}

}  // namespace treadle::inline v0::cpu
