// Definitions of delegate_call.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/analysis/delegate_call.hpp>
#include <treadle/core/concat.hpp>

namespace treadle::inline v0 {

namespace detail {

inline Status append_delegate_operands(const Argument& argument, std::vector<Argument>& out) {
  if (const auto* items = argument.list()) {
    for (const auto& item : *items) TREADLE_CHECK(append_delegate_operands(item, out));
    return {};
  }
  if (const auto* integers = argument.get<std::vector<std::int64_t>>()) {
    for (const auto n : *integers) out.emplace_back(Constant(n));
    return {};
  }
  const bool number =
      argument.get<std::int64_t>() || argument.get<double>() || argument.get<bool>();
  if (!argument.value() && !argument.is_none() && !number)
    return Error(ErrorCode::invalid_graph,
                 concat("operand ", out.size(), " of a delegate is no tensor and no number"));
  out.push_back(argument);
  return {};
}

}  // namespace detail

TREADLE_INLINE bool is_delegate_target(std::string_view target) noexcept {
  for (const std::string_view known :
       {"higher_order::executorch_call_delegate", "higher_order::aoti_call_delegate",
        "higher_order::call_aotinductor"})
    if (target == known) return true;
  return false;
}

TREADLE_INLINE Result<DelegateCall> read_delegate_call(const Node& node) {
  DelegateCall call;
  const bool lists = node.target == "higher_order::aoti_call_delegate";
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const Argument& argument = node.arguments[i].value;
    if (const auto* name = argument.get<std::string>(); name && i < 2 && call.name.empty()) {
      call.name = *name;
    } else if (argument.subgraph() && !call.body) {
      call.body = argument.subgraph();
    } else if (!lists || i > 2) {
      TREADLE_CHECK(detail::append_delegate_operands(argument, call.operands));
    }
  }
  if (call.name.empty() && call.body) call.name = call.body->name;
  return call;
}

}  // namespace treadle::inline v0
