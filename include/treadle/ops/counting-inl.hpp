// The table behind `counting_ops`, and its shape rules.
#pragma once

#include <treadle/core/result.hpp>
#include <treadle/ops/counting.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0 {
namespace rules {

/// As many counts as the largest number needs: only a run can tell.
inline Status bincount(InferContext& context) {
  const TensorType& self = context.tensor(0);
  if (self.rank() != 1 || is_floating(self.dtype) || is_complex(self.dtype))
    return context.fail("expected a vector of integers, found ", name(self.dtype), " of rank ",
                        self.rank());
  DType dtype = DType::int64;
  if (!context.is_none(1))
    dtype = context.tensor(1).dtype == DType::float32 ? DType::float32 : DType::float64;
  context.add(make_type(dtype, {context.unknown_size()}, self.device));
  return {};
}

inline Status frexp(InferContext& context) {
  const TensorType& self = context.tensor(0);
  if (!is_floating(self.dtype))
    return context.fail("expected floating numbers, found ", name(self.dtype));
  context.add(like(self, self.dtype));
  context.add(like(self, DType::int32));
  return {};
}

/// Places of the boxes that are kept.
inline Status suppress_boxes(InferContext& context) {
  const TensorType &boxes = context.tensor(0), &scores = context.tensor(1);
  if (boxes.rank() != 2 || scores.rank() != 1)
    return context.fail("expected boxes of rank 2 and scores of rank 1, found ", boxes.rank(),
                        " and ", scores.rank());
  if (boxes.sizes[1].known() && !boxes.sizes[1].is(4))
    return context.fail("expected four numbers a box, found sizes ", to_string(boxes.sizes));
  context.add(make_type(DType::int64, {context.unknown_size()}, boxes.device));
  return {};
}

}  // namespace rules

namespace detail {

inline constexpr OpDef counting_table[] = {
    {.schema = "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
     .infer = &rules::bincount,
     .traits = {.data_dependent = true}},
    {.schema = "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
     .infer = &rules::frexp},
    {.schema = "torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
     .infer = &rules::suppress_boxes,
     .traits = {.data_dependent = true}},
};

}  // namespace detail

TREADLE_INLINE std::span<const OpDef> counting_ops() { return detail::counting_table; }

}  // namespace treadle::inline v0
