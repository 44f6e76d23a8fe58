// Copies and casts: schemas and shape rules.
#pragma once

#include <optional>
#include <utility>

#include <treadle/core/dtype.hpp>
#include <treadle/ops/elementwise_special.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {
namespace rules {

/// What a `to` asks for.
struct Cast {
  std::optional<DType> dtype;
  std::optional<Device> device;
  MemoryFormat format = MemoryFormat::preserve;
  bool copy = false;
};

/// `self` itself if it is what is asked for, else new memory.
inline Status cast(InferContext& context, const Cast& wanted) {
  const auto& self = context.tensor(0);
  const DType dtype = wanted.dtype.value_or(self.dtype);
  const Device device = wanted.device.value_or(self.device);
  if (!wanted.copy && dtype == self.dtype && device == self.device &&
      has_format(self, wanted.format)) {
    context.add_alias(0);
    return {};
  }
  TensorType type = with_format(self, dtype, wanted.format);
  type.device = device;
  context.add(std::move(type));
  return {};
}

/// `to.dtype(self, dtype, non_blocking, copy, memory_format)`.
inline Status to_dtype(InferContext& context) {
  return cast(context, {context.dtype(1), std::nullopt,
                        context.memory_format(4, MemoryFormat::preserve), context.boolean(3)});
}
/// `to.device(self, device, dtype, non_blocking, copy, memory_format)`.
inline Status to_device(InferContext& context) {
  return cast(context, {context.dtype(2), context.device(1),
                        context.memory_format(5, MemoryFormat::preserve), context.boolean(4)});
}
/// `to.dtype_layout(self, *, dtype, layout, device, pin_memory, non_blocking, copy,
/// memory_format)`.
inline Status to_dtype_layout(InferContext& context) {
  return cast(context, {context.dtype(1), context.device(3),
                        context.memory_format(7, MemoryFormat::preserve), context.boolean(6)});
}
/// `to.other(self, other, non_blocking, copy, memory_format)`.
inline Status to_other(InferContext& context) {
  const auto& other = context.tensor(1);
  return cast(context, {other.dtype, other.device, context.memory_format(4, MemoryFormat::preserve),
                        context.boolean(3)});
}
inline Status type_as(InferContext& context) {
  const auto& other = context.tensor(1);
  return cast(context, {other.dtype, other.device, MemoryFormat::preserve, false});
}
/// `_to_copy(self, *, dtype, layout, device, pin_memory, non_blocking, memory_format)`.
inline Status to_copy(InferContext& context) {
  return cast(context, {context.dtype(1), context.device(3),
                        context.memory_format(6, MemoryFormat::preserve), true});
}
inline Status clone(InferContext& context) {
  return cast(context,
              {std::nullopt, std::nullopt, context.memory_format(1, MemoryFormat::preserve), true});
}
inline Status contiguous(InferContext& context) {
  return cast(context, {std::nullopt, std::nullopt,
                        context.memory_format(1, MemoryFormat::contiguous), false});
}
inline Status convert_element_type(InferContext& context) {
  return cast(context, {context.dtype(1), std::nullopt, MemoryFormat::preserve, true});
}
/// `copy(self, src)`: like `self`, from elements that broadcast to it.
inline Status copy(InferContext& context) {
  TREADLE_CHECK(check_expandable(context, context.tensor(1).sizes, context.tensor(0).sizes));
  return same_as_self(context);
}
inline Status positive(InferContext& context) {
  context.add_alias(0);
  return {};
}
/// `conj` of a real tensor is that tensor.
inline Status conj(InferContext& context) {
  return cast(context, {std::nullopt, std::nullopt, MemoryFormat::preserve,
                        is_complex(context.tensor(0).dtype)});
}

}  // namespace rules

namespace detail {

inline constexpr OpTraits may_alias_traits = {.elementwise = true, .may_alias = true};

inline constexpr OpDef elementwise_copy_table[] = {
    {"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", &rules::clone,
     elementwise_traits},
    {"aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
     &rules::contiguous, elementwise_traits},
    {"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", &rules::copy,
     elementwise_traits},
    {"aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", nullptr,
     elementwise_traits, "aten::copy"},
    {"aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? "
     "memory_format=None) -> Tensor",
     &rules::to_copy, elementwise_traits},
    {"aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, "
     "bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
     &rules::to_device, elementwise_traits},
    {"aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)",
     &rules::to_dtype, elementwise_traits},
    {"aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)",
     &rules::to_dtype_layout, elementwise_traits},
    {"aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)",
     &rules::to_other, elementwise_traits},
    {"aten::type_as(Tensor self, Tensor other) -> Tensor", &rules::type_as, may_alias_traits},
    {"prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor",
     &rules::convert_element_type, may_alias_traits},
    {"aten::conj(Tensor(a) self) -> Tensor(a)", &rules::conj, elementwise_traits},
    {"aten::_conj(Tensor(a) self) -> Tensor(a)", &rules::conj, elementwise_traits},
    {"aten::positive(Tensor(a) self) -> Tensor(a)", &rules::positive, elementwise_traits},
};

}  // namespace detail
}  // namespace treadle::inline v0
