// What shape rules of many operators share: broadcasting, promotion, strides, dimensions.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/ops/infer.hpp>

namespace treadle::inline v0 {

/// Sizes as text: `[s0, 3]`.
[[nodiscard]] inline std::string to_string(const SymDims& sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) text += ", ";
    text += to_string(sizes[i]);
  }
  return text += "]";
}

}  // namespace treadle::inline v0

/// Everything here works on symbolic sizes and is exact on known ones.
namespace treadle::inline v0::rules {

/// Places of arguments in the schema.
using ArgumentList = std::initializer_list<std::size_t>;

// --- broadcasting --------------------------------------------------------------------------------

/// The sizes that two shapes broadcast to: 1 gives way; of two different sizes one of which is not
/// known the known one counts. An error if two known sizes differ.
[[nodiscard]] Result<SymDims> broadcast_sizes(const InferContext& context, const SymDims& a,
                                              const SymDims& b);
/// The common sizes of all tensors among these arguments; lists, None and numbers are allowed.
[[nodiscard]] Result<SymDims> broadcast_sizes(const InferContext& context, ArgumentList arguments);

/// The sizes of `from` stretched to `to` (`expand`): an error if they do not fit.
[[nodiscard]] Status check_expandable(const InferContext& context, const SymDims& from,
                                      const SymDims& to);

// --- dtypes --------------------------------------------------------------------------------------

/// The dtype that these tensors (lists, None allowed) and Scalars promote to
/// (`torch.result_type`).
[[nodiscard]] DType result_dtype(const InferContext& context, ArgumentList arguments);

// --- whole types ---------------------------------------------------------------------------------

/// The result of an elementwise operator on these tensors: broadcast sizes, strides as
/// `TensorIterator` gives them, the device of the first tensor.
[[nodiscard]] Result<TensorType> elementwise(const InferContext& context, ArgumentList arguments,
                                             DType dtype);
/// The same with the promoted dtype.
[[nodiscard]] Result<TensorType> elementwise(const InferContext& context, ArgumentList arguments);
/// The result of a unary elementwise operator, and of `empty_like`: same sizes, strides kept if the
/// elements are dense, else in the same order.
[[nodiscard]] TensorType like(const TensorType& type, DType dtype);
/// New memory with `type`'s sizes and device, laid out in `format`.
[[nodiscard]] TensorType with_format(const TensorType& type, DType dtype, MemoryFormat format);
/// The device of the first tensor among all arguments; the CPU if there is none.
[[nodiscard]] Device first_device(const InferContext& context);

// --- dimensions ----------------------------------------------------------------------------------

/// One flag a dimension: is it in the list? An empty list means all. Errors: out of range, twice.
[[nodiscard]] Result<std::vector<bool>> dimension_mask(const InferContext& context,
                                                       const SymDims& dims, std::size_t rank);
/// Known dimension numbers in [0, rank), in the order given. Errors: out of range, twice.
[[nodiscard]] Result<std::vector<std::size_t>> wrap_dimensions(const InferContext& context,
                                                               const SymDims& dims,
                                                               std::size_t rank);
/// Sizes after reducing over the masked dimensions, which become 1 or vanish.
[[nodiscard]] SymDims reduced_sizes(const SymDims& sizes, const std::vector<bool>& mask,
                                    bool keepdim);
/// The same with the list of dimensions (none or empty: all).
[[nodiscard]] Result<SymDims> reduced_sizes(const InferContext& context, const SymDims& sizes,
                                            const SymDims& dims, bool keepdim);

// --- layouts -------------------------------------------------------------------------------------

/// -1, 0 or 1 as the first of two sizes or strides is less than, equal to or more than the second,
/// where that is known or likely; an unknown number counts as large.
[[nodiscard]] int likely_order(const SymInt& a, const SymInt& b);
/// Surely row-major without gaps? Strides of size-1 dimensions do not count.
[[nodiscard]] bool is_contiguous(const SymDims& sizes, const SymDims& strides);
[[nodiscard]] inline bool is_contiguous(const TensorType& type) {
  return is_contiguous(type.sizes, type.strides);
}
/// Surely laid out in this format? `preserve` is true of any.
[[nodiscard]] bool has_format(const TensorType& type, MemoryFormat format);
/// PyTorch's notion of channels last, for 4 and 5 dimensions: by known strides alone, which also
/// tell dimensions of size 1 apart.
[[nodiscard]] bool suggests_channels_last(const TensorType& type);
/// The format that operators on images give their result: the input's if it suggests one.
[[nodiscard]] MemoryFormat suggested_format(const TensorType& type);
/// Surely without gaps and overlaps, in some order of dimensions?
[[nodiscard]] bool is_dense(const TensorType& type);
/// Strides of these sizes in a memory format: row-major, or channels last for 4 and 5 dimensions.
[[nodiscard]] SymDims format_strides(const SymDims& sizes, MemoryFormat format);
/// The strides that `TensorIterator` gives a new output of these sizes.
[[nodiscard]] SymDims elementwise_strides(const SymDims& sizes,
                                          std::span<const TensorType* const> inputs);

// --- views ---------------------------------------------------------------------------------------

/// Strides that show the same elements under other sizes of the same count; nothing if there are
/// none or if it can't be told.
[[nodiscard]] std::optional<SymDims> view_strides(const SymDims& sizes, const SymDims& strides,
                                                  const SymDims& new_sizes);
/// `wanted` with its -1, if any, replaced so that the element count stays. Errors: counts differ,
/// two -1.
[[nodiscard]] Result<SymDims> infer_sizes(const InferContext& context, const SymDims& sizes,
                                          const SymDims& wanted);
/// A start or end of a slice put into [0, size].
[[nodiscard]] SymInt clamp_position(const SymInt& position, const SymInt& size);

/// Strides, dilations, padding and sizes of windows must fit 32 bits, so that products with the
/// size of a tensor fit 64.
[[nodiscard]] Status check_window_numbers(const InferContext& context, const SymDims& numbers);

}  // namespace treadle::inline v0::rules

#if !TREADLE_COMPILED
#include <treadle/ops/rules-inl.hpp>
#endif
