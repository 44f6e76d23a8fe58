// Puts keyword arguments that are plain values in their places.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/graph/signature.hpp>
#include <treadle/value/tree.hpp>
#include <treadle/value/tree_call.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// A keyword argument of a run.
template <TensorBackend Backend>
using NamedValue = std::pair<std::string, Value<Backend>>;

/// The flat inputs of a call whose arguments are no trees.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<Value<Backend>>> match_keywords(
    const Signature& signature, const std::vector<Value<Backend>>& positional,
    const std::vector<NamedValue<Backend>>& keywords) {
  std::vector<ValueTree<Backend>> trees(positional.begin(), positional.end());
  std::vector<std::pair<std::string, ValueTree<Backend>>> named(keywords.begin(), keywords.end());
  return flatten_call<Backend>(signature.in_spec, signature.argument_names, trees, named);
}

}  // namespace treadle::inline v0
