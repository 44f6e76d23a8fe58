// From an operator's name to its definition and the kernel that computes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_set.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {

/// Definition, schema and kernel of one operator. `kernel` is empty if the registry has none, which
/// is fine for views.
template <TensorBackend Backend>
struct ResolvedOp {
  const OpDef* definition = nullptr;
  Schema schema;
  std::optional<KernelEntry<Backend>> kernel;
  /// The kernel is the functional form of an in-place operator: it is given the written argument as
  /// its result.
  bool functional_kernel = false;
  const OpDef* functional = nullptr;  ///< of an in-place operator
};

/// Looks an operator up; unknown names are errors, missing kernels are not.
template <TensorBackend Backend>
Result<ResolvedOp<Backend>> resolve(const OpSet& ops, const KernelRegistry<Backend>& kernels,
                                    std::string_view target) {
  ResolvedOp<Backend> op;
  op.definition = ops.find(target);
  if (!op.definition)
    return Error(ErrorCode::unknown_operator, concat("operator '", target, "' is not known"));
  op.schema = parse_schema(op.definition->schema);
  if (!op.schema.error.empty())
    return Error(ErrorCode::unknown_operator,
                 concat("the schema of '", target, "' is malformed: ", op.schema.error));
  if (!op.definition->functional.empty()) op.functional = ops.find(op.definition->functional);
  if (const auto* own = kernels.find(target)) {
    op.kernel = *own;
  } else if (!op.definition->functional.empty()) {
    if (const auto* functional = kernels.find(op.definition->functional)) {
      op.kernel = *functional;
      op.functional_kernel = true;
    }
  }
  return op;
}

}  // namespace treadle::inline v0
