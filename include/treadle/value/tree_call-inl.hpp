// Definitions of tree_call.hpp.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <treadle/value/tree_call.hpp>

namespace treadle::inline v0 {

namespace detail {

TREADLE_INLINE Result<std::vector<CallParameter>> call_parameters(
    const TreeSpec& in_spec, std::span<const std::string> argument_names) {
  const bool formed = in_spec.kind == TreeKind::tuple && in_spec.children.size() == 2 &&
                      in_spec.children[0].kind == TreeKind::tuple &&
                      is_dictionary(in_spec.children[1].kind) &&
                      in_spec.children[1].keys.size() == in_spec.children[1].children.size();
  if (!formed)
    return Error(ErrorCode::invalid_graph,
                 "the program's input spec is no pair of positional and keyword arguments");
  std::vector<CallParameter> parameters;
  const auto& positional = in_spec.children[0].children;
  for (std::size_t i = 0; i < positional.size(); ++i)
    parameters.push_back(
        {i < argument_names.size() ? argument_names[i] : std::string(), &positional[i], true});
  const auto& keywords = in_spec.children[1];
  for (std::size_t i = 0; i < keywords.children.size(); ++i) {
    const auto* name = std::get_if<std::string>(&keywords.keys[i]);
    if (!name) return Error(ErrorCode::invalid_graph, "a keyword of the input spec is no text");
    parameters.push_back({*name, &keywords.children[i], false});
  }
  return parameters;
}

}  // namespace detail

}  // namespace treadle::inline v0
