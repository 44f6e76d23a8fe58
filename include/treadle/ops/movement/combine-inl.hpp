// Shape rules of operators that lay several tensors out in one grid, and of sliding patches.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <treadle/ops/movement/arrange-inl.hpp>
#include <treadle/ops/movement/concat-inl.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::detail::movement {

/// Views of vectors in a grid; `xy` swaps the first two axes.
inline Status add_grids(InferContext& context, bool xy) {
  const auto types = context.tensors(0);
  SymDims sizes;
  for (const auto* type : types) {
    if (!type || type->rank() > 1) return context.fail("a grid is made of vectors");
    sizes.push_back(type->rank() == 0 ? SymInt(1) : type->sizes[0]);
  }
  const auto axis = [&](std::size_t i) { return xy && types.size() > 1 && i < 2 ? 1 - i : i; };
  SymDims shown = sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) shown[axis(i)] = sizes[i];
  context.begin_list(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    SymDims strides(shown.size(), SymInt(0));
    if (types[i]->rank() == 1) strides[axis(i)] = types[i]->strides[0];
    context.add_view(views::show(*types[i], shown, std::move(strides)), 0, i);
  }
  return {};
}
inline Status meshgrid(InferContext& context) { return add_grids(context, false); }
inline Status meshgrid_indexing(InferContext& context) {
  const std::string_view indexing = context.string(1);
  if (indexing != "ij" && indexing != "xy")
    return context.fail("'indexing' must be 'ij' or 'xy', found '", indexing, "'");
  return add_grids(context, indexing == "xy");
}

inline Status block_diag(InferContext& context) {
  const auto types = context.tensors(0);
  SymInt rows = 0, columns = 0;
  for (const auto* type : types) {
    if (!type || type->rank() > 2) return context.fail("blocks have at most 2 dimensions");
    rows = rows + (type->rank() == 2 ? type->sizes[0] : SymInt(1));
    columns = columns + (type->rank() == 0 ? SymInt(1) : type->sizes.back());
  }
  if (types.empty()) rows = 1;
  const DType dtype = types.empty() ? default_float : rules::result_dtype(context, {0});
  context.add(make_type(dtype, {rows, columns}, rules::first_device(context)));
  return {};
}

inline Status cartesian_prod(InferContext& context) {
  const auto types = context.tensors(0);
  SymInt count = 1;
  for (const auto* type : types) {
    if (!type || type->rank() != 1) return context.fail("a product is made of vectors");
    count = count * type->sizes[0];
  }
  if (types.empty()) return context.fail("expected at least one tensor, found none");
  if (types.size() == 1) {
    context.add_view(*types[0], 0, 0);
    return {};
  }
  context.add(make_type(rules::result_dtype(context, {0}), {count, SymInt(types.size())},
                        types[0]->device));
  return {};
}

inline Status one_hot(InferContext& context) {
  const auto& self = context.tensor(0);
  if (self.dtype != DType::int64) return context.fail("expected int64, found ", name(self.dtype));
  SymDims sizes = self.sizes;
  const SymInt classes = context.integer(1);
  sizes.push_back(classes.is(-1) ? context.unknown_size() : classes);
  return packed(context, std::move(sizes));
}

/// How many windows fit.
inline SymInt window_count(const SymInt& size, const SymInt& kernel, const SymInt& dilation,
                           const SymInt& padding, const SymInt& stride) {
  return floor_div(size + padding * SymInt(2) - dilation * (kernel - SymInt(1)) - SymInt(1),
                   stride) +
         SymInt(1);
}

inline Status check_windows(const InferContext& context, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    const auto values = context.integers(i);
    if (values.size() != 2) return context.fail("expected two numbers, found ", to_string(values));
    TREADLE_CHECK(rules::check_window_numbers(context, values));
    const bool padding = context.schema().arguments[i].name == "padding";
    for (const auto& v : values)
      if (v.known() && *v.value() < (padding ? 0 : 1))
        return context.fail("'", context.schema().arguments[i].name,
                            "' is out of range: ", to_string(values));
  }
  return {};
}

/// Arguments: self, kernel_size, dilation, padding, stride.
inline Status im2col(InferContext& context) {
  const auto& self = context.tensor(0);
  const std::size_t rank = self.rank();
  if (rank != 3 && rank != 4) return context.fail("expected 3 or 4 dimensions, found ", rank);
  TREADLE_CHECK(check_windows(context, 1, 5));
  const auto kernel = context.integers(1), dilation = context.integers(2),
             padding = context.integers(3), stride = context.integers(4);
  SymInt windows = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    const SymInt count =
        window_count(self.sizes[rank - 2 + i], kernel[i], dilation[i], padding[i], stride[i]);
    if (count.known() && *count.value() <= 0)
      return context.fail("no window fits sizes ", to_string(self.sizes));
    windows = windows * count;
  }
  SymDims sizes;
  if (rank == 4) sizes.push_back(self.sizes[0]);
  sizes.push_back(self.sizes[rank - 3] * kernel[0] * kernel[1]);
  sizes.push_back(windows);
  return packed(context, std::move(sizes));
}

/// Arguments: self, output_size, kernel_size, dilation, padding, stride.
inline Status col2im(InferContext& context) {
  const auto& self = context.tensor(0);
  const std::size_t rank = self.rank();
  if (rank != 2 && rank != 3) return context.fail("expected 2 or 3 dimensions, found ", rank);
  TREADLE_CHECK(check_windows(context, 1, 6));
  const auto output = context.integers(1), kernel = context.integers(2),
             dilation = context.integers(3), padding = context.integers(4),
             stride = context.integers(5);
  SymInt windows = 1;
  for (std::size_t i = 0; i < 2; ++i)
    windows = windows * window_count(output[i], kernel[i], dilation[i], padding[i], stride[i]);
  const SymInt &found = self.sizes[rank - 1], &channels = self.sizes[rank - 2],
               area = kernel[0] * kernel[1];
  if ((found.known() && windows.known() && !(found == windows)) ||
      (channels.known() && area.known() && *channels.value() % *area.value() != 0))
    return context.fail("sizes ", to_string(self.sizes), " are not ", to_string(windows),
                        " windows of ", to_string(area), " elements");
  SymDims sizes;
  if (rank == 3) sizes.push_back(self.sizes[0]);
  sizes.push_back(floor_div(channels, area));
  sizes.insert(sizes.end(), output.begin(), output.end());
  return packed(context, std::move(sizes));
}

}  // namespace treadle::inline v0::detail::movement
