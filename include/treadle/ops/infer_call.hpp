// The results of one call, from an operator's definition.
#pragma once

#include <span>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// What a call gives: one entry a tensor result, lists flattened.
struct InferredCall {
  std::vector<InferResult> results;
  bool writes = false;        ///< an argument is written
  bool needs_kernel = false;  ///< false if every result is a view, or there is nothing to compute
};

/// Applies the shape rule. Results of in-place forms are the written arguments. An operator without
/// a rule gets the types in `declared` (what the program states, flattened), in new memory.
/// `schema` is `definition.schema` parsed; `arguments` are aligned with it and of the types it
/// says.
[[nodiscard]] Result<InferredCall> infer_call(const OpDef& definition, const Schema& schema,
                                              const std::vector<InferValue>& arguments,
                                              std::span<const TensorType> declared);

/// Applies the shape rule of an operator's functional form, which has the same arguments, to a call
/// of its in-place form: operands must fit each other, and the result the written argument.
[[nodiscard]] Status check_in_place(const OpDef& functional, const Schema& schema,
                                    const std::vector<InferValue>& arguments);

/// Checks that every argument is of the kind that the schema says; numbers count as tensors where
/// one is wanted only if they are `TensorArgument`s already.
[[nodiscard]] Status check_arguments(const Schema& schema,
                                     const std::vector<InferValue>& arguments);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/infer_call-inl.hpp>
#endif
