// Definitions of control_operands.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/analysis/control_operands.hpp>

namespace treadle::inline v0 {

namespace detail {

/// Appends a list's items, or a single operand; subgraphs are none.
inline void append_operands(const Argument& argument, std::vector<Argument>& out) {
  if (const auto* items = argument.list()) {
    out.insert(out.end(), items->begin(), items->end());
  } else if (const auto* integers = argument.get<std::vector<std::int64_t>>()) {
    for (const auto n : *integers) out.emplace_back(Constant(n));
  } else if (!argument.subgraph()) {
    out.push_back(argument);
  }
}

/// Lists from `first` on; a dimension and a direction may stand before them.
inline void append_lists(const std::vector<Argument>& arguments, std::size_t first,
                         ControlOperands& out) {
  for (std::size_t i = first; i < arguments.size(); ++i) {
    if (const auto* dim = arguments[i].get<std::int64_t>())
      out.dimension = *dim;
    else if (const auto* reverse = arguments[i].get<bool>())
      out.reverse = *reverse;
    else
      append_operands(arguments[i], out.constant);
  }
}

}  // namespace detail

TREADLE_INLINE ControlOperands control_operands(const CallSite& site) {
  ControlOperands out;
  const auto& a = site.arguments;
  const auto append = [&](std::size_t i, std::vector<Argument>& to) {
    if (i < a.size()) detail::append_operands(a[i], to);
  };
  switch (site.control) {
    case ControlKind::cond:
      for (std::size_t i = 3; i < a.size(); ++i) append(i, out.constant);
      break;
    case ControlKind::while_loop:
      append(2, out.carried);
      append(3, out.constant);
      break;
    case ControlKind::scan:
      append(1, out.carried);
      append(2, out.sliced);
      detail::append_lists(a, 3, out);
      break;
    case ControlKind::map:
      append(1, out.sliced);
      for (std::size_t i = 2; i < a.size(); ++i) append(i, out.constant);
      break;
    case ControlKind::associative_scan:
      append(1, out.sliced);
      detail::append_lists(a, 2, out);
      break;
  }
  return out;
}

}  // namespace treadle::inline v0
