// Definitions of the shared shape rules: broadcasting, promotion, dimensions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>
#include <treadle/ops/rules_layout-inl.hpp>

namespace treadle::inline v0::rules {
namespace detail {

/// Calls `function(type, wrapped_number)` on every tensor among the arguments.
template <class Function>
void for_each_tensor(const InferContext& context, std::size_t argument, Function&& function) {
  const auto& schema = context.schema().arguments[argument];
  if (schema.kind != SchemaKind::tensor) return;
  if (schema.list) {
    for (const auto* type : context.tensors(argument))
      if (type) function(*type, false);
    return;
  }
  const TensorArgument tensor = context.tensor_argument(argument);
  if (tensor.type) function(*tensor.type, tensor.wrapped_number);
}

inline std::vector<const TensorType*> tensors_of(const InferContext& context,
                                                 ArgumentList arguments) {
  std::vector<const TensorType*> types;
  for (std::size_t a : arguments)
    for_each_tensor(context, a, [&](const TensorType& type, bool) { types.push_back(&type); });
  return types;
}

}  // namespace detail

TREADLE_INLINE Result<SymDims> broadcast_sizes(const InferContext& context, const SymDims& a,
                                               const SymDims& b) {
  const SymDims& longer = a.size() >= b.size() ? a : b;
  const SymDims& shorter = a.size() >= b.size() ? b : a;
  SymDims sizes = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    SymInt& size = sizes[lead + i];
    const SymInt& other = shorter[i];
    if (other.is(1) || size == other) continue;
    if (size.is(1)) {
      size = other;
    } else if (size.known() && other.known()) {
      return context.fail("sizes ", to_string(a), " and ", to_string(b), " do not broadcast");
    } else if (other.known()) {
      size = other;
    }
  }
  return sizes;
}

TREADLE_INLINE Result<SymDims> broadcast_sizes(const InferContext& context,
                                               ArgumentList arguments) {
  SymDims sizes;
  bool first = true;
  for (const auto* type : detail::tensors_of(context, arguments)) {
    if (std::exchange(first, false)) {
      sizes = type->sizes;
      continue;
    }
    TREADLE_TRY(sizes, broadcast_sizes(context, sizes, type->sizes));
  }
  return sizes;
}

TREADLE_INLINE Status check_expandable(const InferContext& context, const SymDims& from,
                                       const SymDims& to) {
  bool fits = from.size() <= to.size();
  for (std::size_t i = 0; fits && i < from.size(); ++i) {
    const SymInt& size = from[from.size() - 1 - i];
    const SymInt& wanted = to[to.size() - 1 - i];
    fits = size.is(1) || size == wanted || !size.known() || !wanted.known();
  }
  if (fits) return {};
  return context.fail("sizes ", to_string(from), " can't be expanded to ", to_string(to));
}

TREADLE_INLINE DType result_dtype(const InferContext& context, ArgumentList arguments) {
  Promotion promotion;
  for (std::size_t a : arguments) {
    const auto& schema = context.schema().arguments[a];
    if (schema.kind != SchemaKind::tensor) {
      if (!context.is_none(a)) promotion.add_number(context.scalar_category(a));
      continue;
    }
    detail::for_each_tensor(context, a, [&](const TensorType& type, bool number) {
      if (number)
        promotion.add_number(category(type.dtype));
      else
        promotion.add_tensor(type.dtype, type.rank() == 0);
    });
  }
  return promotion.result();
}

TREADLE_INLINE Device first_device(const InferContext& context) {
  const TensorType* first = nullptr;
  for (std::size_t i = 0; i < context.schema().argument_count; ++i)
    detail::for_each_tensor(context, i, [&](const TensorType& type, bool number) {
      if (!first && !number) first = &type;
    });
  return first ? first->device : Device{};
}

TREADLE_INLINE Result<TensorType> elementwise(const InferContext& context, ArgumentList arguments,
                                              DType dtype) {
  const auto inputs = detail::tensors_of(context, arguments);
  TensorType type;
  type.dtype = dtype;
  TREADLE_TRY(type.sizes, broadcast_sizes(context, arguments));
  type.device = first_device(context);
  type.strides = elementwise_strides(type.sizes, inputs);
  return type;
}

TREADLE_INLINE Result<TensorType> elementwise(const InferContext& context, ArgumentList arguments) {
  return elementwise(context, arguments, result_dtype(context, arguments));
}

TREADLE_INLINE TensorType like(const TensorType& type, DType dtype) {
  TensorType out = type;
  const TensorType* inputs[] = {&type};
  out.dtype = dtype;
  out.requires_grad = false;
  out.storage_offset = 0;
  out.strides = elementwise_strides(type.sizes, inputs);
  return out;
}

TREADLE_INLINE TensorType with_format(const TensorType& type, DType dtype, MemoryFormat format) {
  TensorType out = like(type, dtype);
  if (format != MemoryFormat::preserve) out.strides = format_strides(type.sizes, format);
  return out;
}

TREADLE_INLINE Result<std::vector<std::size_t>> wrap_dimensions(const InferContext& context,
                                                                const SymDims& dims,
                                                                std::size_t rank) {
  std::vector<std::size_t> out;
  for (const auto& dim : dims) {
    TREADLE_TRY(const std::size_t d, context.wrap_dimension(dim, rank));
    if (std::find(out.begin(), out.end(), d) != out.end())
      return context.fail("dimension ", d, " appears twice in the list of dimensions");
    out.push_back(d);
  }
  return out;
}

TREADLE_INLINE Result<std::vector<bool>> dimension_mask(const InferContext& context,
                                                        const SymDims& dims, std::size_t rank) {
  if (dims.empty()) return std::vector<bool>(rank, true);
  TREADLE_TRY(const auto list, wrap_dimensions(context, dims, rank));
  std::vector<bool> mask(rank, false);
  for (std::size_t d : list)
    if (d < rank) mask[d] = true;
  return mask;
}

TREADLE_INLINE SymDims reduced_sizes(const SymDims& sizes, const std::vector<bool>& mask,
                                     bool keepdim) {
  SymDims out;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!mask[i])
      out.push_back(sizes[i]);
    else if (keepdim)
      out.push_back(1);
  }
  return out;
}

TREADLE_INLINE Result<SymDims> reduced_sizes(const InferContext& context, const SymDims& sizes,
                                             const SymDims& dims, bool keepdim) {
  TREADLE_TRY(const auto mask, dimension_mask(context, dims, sizes.size()));
  return reduced_sizes(sizes, mask, keepdim);
}

TREADLE_INLINE Status check_window_numbers(const InferContext& context, const SymDims& numbers) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (const SymInt& number : numbers)
    if (number.value_or(0) > most || number.value_or(0) < -most)
      return context.fail("numbers of a window must fit 32 bits, found ", to_string(numbers));
  return {};
}

}  // namespace treadle::inline v0::rules
