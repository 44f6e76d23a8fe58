// Registration of the kernels that make tensors and of those that check something.
#pragma once

#include <string>
#include <string_view>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/creation.hpp>
#include <treadle/cpu/creation/check.hpp>
#include <treadle/cpu/creation/check_info.hpp>
#include <treadle/cpu/creation/fill.hpp>
#include <treadle/cpu/creation/sequence.hpp>
#include <treadle/ops/creation.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

inline void add_fill(KernelRegistry<Backend>& registry, const FillKernel& kernel) {
  registry.add_entry({kernel.schema, make_erased(kernel), &prepare_fill, &run_fill});
}

/// Which sequence an operator of this name writes, if it does.
inline SequenceKernel sequence_of(std::string_view name) {
  const auto is = [&](std::string_view base) {
    return name == base || (name.starts_with(base) && name[base.size()] == '.');
  };
  if (is("aten::arange") || is("prims::iota"))
    return {{}, &write_range, {"start", "step", ""}, {0, 1, 0}};
  if (is("aten::linspace")) return {{}, &write_linear, {"start", "end", ""}, {}};
  if (is("aten::logspace")) return {{}, &write_powers, {"start", "end", "base"}, {0, 0, 10}};
  if (is("aten::eye")) return {{}, &write_identity, {}, {}};
  if (is("aten::tril_indices")) return {{}, &write_triangle<false>, {"row", "col", "offset"}, {}};
  if (is("aten::triu_indices")) return {{}, &write_triangle<true>, {"row", "col", "offset"}, {}};
  return {};
}

}  // namespace detail

TREADLE_INLINE KernelRegistry<Backend> creation_kernels() {
  KernelRegistry<Backend> registry;
  for (const auto& definition : creation_ops()) {
    if (!definition.infer) continue;
    const std::string_view name = definition.name();
    auto sequence = detail::sequence_of(name);
    if (sequence.write) {
      sequence.schema = definition.schema;
      registry.add_entry({definition.schema, make_erased(sequence), &detail::prepare_sequence,
                          &detail::run_sequence});
      continue;
    }
    const Schema schema = parse_schema(definition.schema);
    detail::FillKernel fill{definition.schema, {}, 0};
    for (const std::string_view argument : {"fill_value", "value", "s"})
      if (schema.find(argument) >= 0) fill.argument = argument;
    if (name == "aten::ones" || name == "aten::ones_like" || name == "aten::new_ones")
      fill.number = 1;
    detail::add_fill(registry, fill);
  }
  return registry;
}

TREADLE_INLINE KernelRegistry<Backend> assertion_kernels() {
  KernelRegistry<Backend> registry;
  for (const auto& definition : assertion_ops())
    registry.add_entry({definition.schema, make_erased(detail::CheckKernel{definition.schema}),
                        &detail::prepare_check, &detail::run_check});
  registry.add<"aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()">(
      detail::CheckInfo{});
  return registry;
}

}  // namespace treadle::inline v0::cpu
