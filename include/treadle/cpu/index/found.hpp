// Kernels driven by masks, nonzero elements and linear positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/index/masks.hpp>
#include <treadle/cpu/index/select.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// `tensor` stretched to `sizes`; the caller knows that it fits.
inline Tensor stretched(const Tensor& tensor, const Dims& sizes) {
  TensorMeta meta = tensor.meta();
  const std::size_t lead = sizes.size() - meta.rank();
  Dims strides(sizes.size());
  for (std::size_t i = 0; i < meta.rank(); ++i)
    if (meta.sizes[i] == sizes[lead + i]) strides[lead + i] = meta.strides[i];
  meta.sizes = sizes;
  meta.strides = std::move(strides);
  return {tensor.storage(), std::move(meta)};
}

inline Dims common_sizes(const Dims& a, const Dims& b) {
  Dims out = a.size() >= b.size() ? a : b;
  const Dims& other = a.size() >= b.size() ? b : a;
  const std::size_t lead = out.size() - other.size();
  for (std::size_t i = 0; i < other.size(); ++i)
    if (out[lead + i] == 1) out[lead + i] = other[i];
  return out;
}

/// Byte offset of the n-th element in row-major order.
inline std::int64_t element_offset(const TensorMeta& meta, std::int64_t n) {
  std::int64_t offset = 0;
  for (std::size_t i = meta.rank(); i-- > 0;) {
    offset += n % meta.sizes[i] * meta.strides[i];
    n /= meta.sizes[i];
  }
  return offset * static_cast<std::int64_t>(size_of(meta.dtype));
}

inline std::int64_t count_nonzero(const Tensor& tensor) {
  std::int64_t count = 0;
  for_each_element(tensor, [&](const std::byte* element, const Dims&) {
    count += is_nonzero(element, tensor.dtype()) ? 1 : 0;
  });
  return count;
}

/// Calls `function(position)` on the position of each nonzero element.
template <class Function>
void for_each_nonzero(const Tensor& tensor, Function&& function) {
  for_each_element(tensor, [&](const std::byte* element, const Dims& at) {
    if (is_nonzero(element, tensor.dtype())) function(at);
  });
}

}  // namespace detail

/// `masked_select`.
inline Status masked_select(RunContext<Backend>& context, const Tensor& self, const Tensor& mask,
                            Tensor& out) {
  const Dims sizes = detail::common_sizes(self.sizes(), mask.sizes());
  const Tensor source = detail::stretched(self, sizes), chosen = detail::stretched(mask, sizes);
  TREADLE_CHECK(context.allocate(out, make_meta(self.dtype(), {detail::count_nonzero(chosen)})));
  const auto item = static_cast<std::int64_t>(size_of(self.dtype()));
  std::byte* to = out.bytes();
  detail::for_each_nonzero(chosen, [&](const Dims& at) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * source.strides()[i];
    std::memcpy(to, source.bytes() + offset * item, static_cast<std::size_t>(item));
    to += item;
  });
  return {};
}

/// `masked_scatter`: the chosen places take the elements of `source` in order.
struct MaskedScatter {
  using Prepared = CopyPlan;

  Result<Prepared> prepare(PrepareContext<Backend>&, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>&, const TensorInfo<Backend>&,
                           const TensorInfo<Backend>& out) const {
    TensorMeta from = self.meta();
    const std::size_t lead = out.meta().rank() - from.rank();
    Dims strides(out.meta().rank());
    for (std::size_t i = 0; i < from.rank(); ++i)
      if (from.sizes[i] == out.meta().sizes[lead + i]) strides[lead + i] = from.strides[i];
    from.sizes = out.meta().sizes;
    from.strides = std::move(strides);
    return CopyPlan(from, out.meta());
  }
  Status run(const Prepared& plan, RunContext<Backend>& context, const Tensor& self,
             const Tensor& mask, const Tensor& source, Tensor& out) const {
    const Tensor chosen = detail::stretched(mask, out.sizes());
    const std::int64_t needed = detail::count_nonzero(chosen);
    if (needed > source.count())
      return context.fail("the mask chooses ", needed, " elements, 'source' has ", source.count());
    detail::copy_self(plan, context, self, out);
    const auto item = static_cast<std::int64_t>(size_of(out.dtype()));
    std::int64_t taken = 0;
    detail::for_each_nonzero(chosen, [&](const Dims& at) {
      std::int64_t offset = 0;
      for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * out.strides()[i];
      std::memcpy(out.bytes() + offset * item,
                  source.bytes() + detail::element_offset(source.meta(), taken++),
                  static_cast<std::size_t>(item));
    });
    return {};
  }
};

/// `nonzero`, `argwhere`: a row for each element that is not zero, laid out column by column.
inline Status nonzero(RunContext<Backend>& context, const Tensor& self, Tensor& out) {
  const std::int64_t count = detail::count_nonzero(self);
  TensorMeta meta = make_meta(DType::int64, {count, static_cast<std::int64_t>(self.rank())});
  meta.strides = {1, count};
  TREADLE_CHECK(context.allocate(out, meta));
  auto* to = reinterpret_cast<std::int64_t*>(out.bytes());
  detail::for_each_nonzero(self, [&](const Dims& at) {
    for (std::size_t i = 0; i < at.size(); ++i) to[static_cast<std::int64_t>(i) * count] = at[i];
    ++to;
  });
  return {};
}

/// `nonzero_static`: the first `size` rows, filled up.
inline Status nonzero_static(RunContext<Backend>&, const Tensor& self, std::int64_t size,
                             std::int64_t fill_value, Tensor& out) {
  const auto put = [&](std::int64_t row, std::size_t column, std::int64_t value) {
    const std::int64_t offset =
        row * out.strides()[0] + static_cast<std::int64_t>(column) * out.strides()[1];
    std::memcpy(out.bytes() + offset * 8, &value, sizeof(value));
  };
  std::int64_t row = 0;
  detail::for_each_nonzero(self, [&](const Dims& at) {
    if (row < size)
      for (std::size_t i = 0; i < at.size(); ++i) put(row, i, at[i]);
    ++row;
  });
  for (; row < size; ++row)
    for (std::size_t i = 0; i < self.rank(); ++i) put(row, i, fill_value);
  return {};
}

/// `nonzero_numpy`: a list of positions for each dimension.
inline Status nonzero_numpy(RunContext<Backend>& context, const Tensor& self,
                            std::span<Tensor* const> out) {
  auto lists = detail::mask_positions(self);
  if (self.rank() == 0) lists.emplace_back(detail::is_nonzero(self.bytes(), self.dtype()) ? 1 : 0);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto count = static_cast<std::int64_t>(lists[i].size());
    TREADLE_CHECK(context.allocate(*out[i], make_meta(DType::int64, {count})));
    std::copy(lists[i].begin(), lists[i].end(), reinterpret_cast<std::int64_t*>(out[i]->bytes()));
  }
  return {};
}

/// `take`: elements by their row-major number. `take_along_dim` without a dimension is the same.
inline Status take(RunContext<Backend>& context, const Tensor& self, const Tensor& index,
                   Tensor& out) {
  const std::int64_t count = self.count(), n = index.count();
  const std::size_t item = size_of(self.dtype());
  const bool same_rank = out.rank() == index.rank();
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t found =
        read_index(index.bytes() + detail::element_offset(index.meta(), i), index.dtype());
    const std::int64_t at = found < 0 ? found + count : found;
    if (at < 0 || at >= count) return detail::bad_index(context, {found, count, 0});
    const std::int64_t to = same_rank ? detail::element_offset(out.meta(), i)
                                      : i * out.strides()[0] * static_cast<std::int64_t>(item);
    std::memcpy(out.bytes() + to, self.bytes() + detail::element_offset(self.meta(), at), item);
  }
  return {};
}

/// `put`: writes elements by their row-major number.
struct Put {
  struct Prepared {
    CopyPlan base;
    CombineRow row = nullptr;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>& index, const TensorInfo<Backend>& source,
                           bool accumulate, const TensorInfo<Backend>& out) const {
    if (source.dtype() != self.dtype() ||
        element_count(source.meta()) != element_count(index.meta()))
      return context.fail("'source' must hold ", element_count(index.meta()), " elements of ",
                          name(self.dtype()), ", found ", to_string(source.meta()));
    return Prepared{CopyPlan(self.meta(), out.meta()),
                    combine_row(accumulate ? Combine::add : Combine::replace, out.dtype())};
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& index, const Tensor& source, Tensor& out) const {
    detail::copy_self(prepared.base, context, self, out);
    const std::int64_t count = out.count(), n = index.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t found =
          read_index(index.bytes() + detail::element_offset(index.meta(), i), index.dtype());
      const std::int64_t at = found < 0 ? found + count : found;
      if (at < 0 || at >= count) return detail::bad_index(context, {found, count, 0});
      prepared.row(out.bytes() + detail::element_offset(out.meta(), at), 0,
                   source.bytes() + detail::element_offset(source.meta(), i), 0, 1);
    }
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
