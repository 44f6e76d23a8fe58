// Definitions of size_grid.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/exec/size_grid.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::vector<std::string> input_size_names(const GraphModule& module) {
  std::vector<std::string> names;
  const auto& specs = module.signature.inputs;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ValueId v = module.graph.inputs()[i];
    if (specs[i].kind != InputKind::user_input || !v.valid()) continue;
    if (const auto& type = module.graph.value(v).tensor)
      for (const SymInt& size : type->sizes)
        if (!size.known()) collect_symbols(size.expr(), names);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

TREADLE_INLINE Result<std::vector<Bindings>> size_grid(const GraphModule& module,
                                                       std::size_t limit) {
  std::vector<Bindings> grid(1);
  for (const auto& name : input_size_names(module)) {
    const auto range = module.ranges.find(name);
    if (range == module.ranges.end() || !range->second.minimum || !range->second.maximum)
      return Error(ErrorCode::invalid_argument,
                   concat("size '", name, "' has no bounds on both sides"));
    const std::int64_t low = *range->second.minimum, high = *range->second.maximum;
    const auto count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (low > high || count == 0 || count > limit || grid.size() > limit / count)
      return Error(ErrorCode::limit_exceeded, concat("the program's bounds allow more than ", limit,
                                                     " combinations of sizes; size '", name,
                                                     "' goes from ", low, " to ", high));
    std::vector<Bindings> next;
    for (const auto& bindings : grid)
      for (std::int64_t v = low; v <= high; ++v) {
        next.push_back(bindings);
        next.back().set(name, v);
      }
    grid = std::move(next);
  }
  return grid;
}

}  // namespace treadle::inline v0
