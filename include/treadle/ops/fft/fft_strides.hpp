// The strides that PyTorch's Fourier transforms leave behind.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <treadle/graph/types.hpp>
#include <treadle/ops/fft/fft_form.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// Orders dimensions from the largest stride to the smallest; equal ones keep their order.
template <class Iterator>
void sort_by_stride(Iterator first, Iterator last, const SymDims& strides) {
  // A handful of dimensions: insertion keeps equal ones in order and needs no memory.
  for (Iterator at = first; at != last; ++at)
    for (Iterator back = at;
         back != first && likely_order(strides[*back], strides[*(back - 1)]) > 0; --back)
      std::iter_swap(back, back - 1);
}

/// One pass over `dims`, transformed in this order: the other dimensions are one batch in front,
/// in the order of the input's strides, and the transformed ones follow.
inline SymDims transformed_strides(const TensorType& input, const SymDims& out_sizes,
                                   const std::vector<std::size_t>& dims) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < input.rank(); ++d) order.push_back(d);
  const auto batch_end = std::partition(order.begin(), order.end(), [&](std::size_t d) {
    return std::find(dims.begin(), dims.end(), d) == dims.end();
  });
  sort_by_stride(order.begin(), batch_end, input.strides);
  std::copy(dims.begin(), dims.end(), batch_end);
  SymDims strides(input.rank(), SymInt(1));
  SymInt step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step = step * out_sizes[order[i]];
  }
  return strides;
}

/// `self` cut or filled up with zeros to `sizes`.
inline TensorType resized(const TensorType& self, const SymDims& sizes) {
  TensorType cut = self;
  bool grows = false;
  for (std::size_t d = 0; d < self.rank(); ++d) {
    const bool smaller = likely_order(sizes[d], self.sizes[d]) < 0;
    grows |= !smaller && !(sizes[d] == self.sizes[d]);
    if (smaller) cut.sizes[d] = sizes[d];
  }
  if (!grows) return cut;
  cut.strides = format_strides(sizes, suggested_format(cut));
  cut.sizes = sizes;
  return cut;
}

/// How the elements of a result of `out_sizes` lie. `input` is what the transform reads, converted
/// and resized. Transforms of halves into real numbers run in two passes.
inline SymDims fft_strides(TensorType input, const SymDims& out_sizes,
                           std::vector<std::size_t> dims, treadle::detail::FftKind kind) {
  using treadle::detail::FftKind;
  if (dims.empty()) return like(input, input.dtype).strides;
  if (kind == FftKind::half_to_real) {
    const std::vector<std::size_t> last = {dims.back()};
    dims.pop_back();
    if (!dims.empty()) {
      sort_by_stride(dims.begin(), dims.end(), input.strides);
      input.strides = transformed_strides(input, input.sizes, dims);
    }
    return transformed_strides(input, out_sizes, last);
  }
  const auto sorted_end = dims.end() - (kind == FftKind::complex_to_complex ? 0 : 1);
  sort_by_stride(dims.begin(), sorted_end, input.strides);
  return transformed_strides(input, out_sizes, dims);
}

}  // namespace treadle::inline v0::rules
