// The arguments of a Python call as a program's flat inputs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tree_spec.hpp>
#include <treadle/value/tree.hpp>
#include <treadle/value/tree_flatten.hpp>

namespace treadle::inline v0 {
namespace detail {

/// One parameter of the Python function, with the form of its argument.
struct CallParameter {
  std::string name;  ///< may be empty for positional ones
  const TreeSpec* spec = nullptr;
  bool positional = false;
};

/// The parameters that an input spec `tuple(tuple(args), dict(kwargs))` tells, in the order of the
/// flat inputs.
[[nodiscard]] Result<std::vector<CallParameter>> call_parameters(
    const TreeSpec& in_spec, std::span<const std::string> argument_names);

/// Finds each parameter's argument.
template <TensorBackend Backend>
class CallMatcher {
 public:
  using Tree = ValueTree<Backend>;

  CallMatcher(std::vector<CallParameter> parameters, std::span<const std::string> argument_names)
      : parameters_(std::move(parameters)),
        names_(argument_names),
        given_(parameters_.size(), nullptr) {}

  /// The i-th positional argument; those after the program's positional ones stand for keywords, in
  /// the order of the Python function.
  Status give(std::size_t i, const Tree& argument) {
    if (i < parameters_.size() && parameters_[i].positional) {
      given_[i] = &argument;
      return {};
    }
    if (i < names_.size()) return give(names_[i], argument);
    return Error(ErrorCode::invalid_argument,
                 concat("too many arguments: the program takes ", parameters_.size()));
  }

  Status give(std::string_view name, const Tree& argument) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (name.empty() || parameters_[i].name != name) continue;
      if (given_[i])
        return Error(ErrorCode::invalid_argument, concat("argument '", name, "' is given twice"));
      given_[i] = &argument;
      return {};
    }
    return Error(ErrorCode::invalid_argument,
                 concat("the program has no argument '", name, "'; it knows ", known_names()));
  }

  /// All leaves in order. Keywords that are not given become None, leaf by leaf.
  Result<std::vector<Value<Backend>>> flatten(const TreeRegistry<Backend>& registry) {
    std::vector<Value<Backend>> leaves;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const auto& parameter = parameters_[i];
      const std::string where = parameter.name.empty() ? concat("argument ", i)
                                                       : concat("argument '", parameter.name, '\'');
      if (given_[i]) {
        TREADLE_CHECK(TreeFlattener<Backend>(registry, leaves)
                          .flatten(*given_[i], *parameter.spec)
                          .with_context(where));
      } else if (parameter.positional) {
        return Error(ErrorCode::invalid_argument, concat(where, " is missing"));
      } else {
        leaves.resize(leaves.size() + leaf_count(*parameter.spec));
      }
    }
    return leaves;
  }

 private:
  std::string known_names() const {
    std::string out;
    for (const auto& parameter : parameters_)
      if (!parameter.name.empty())
        out += concat(out.empty() ? "" : ", ", '\'', parameter.name, '\'');
    return out.empty() ? "none by name" : out;
  }

  std::vector<CallParameter> parameters_;
  std::span<const std::string> names_;
  std::vector<const Tree*> given_;
};

}  // namespace detail

/// The flat inputs of a call. `in_spec` is a signature's `tuple(args, kwargs)`, `argument_names`
/// are those of the Python function, positional ones first; they may be empty. Positional arguments
/// come first; keywords follow by name in any order. Positional parameters may be given by name and
/// keywords by position where `argument_names` tells. A keyword that is not given becomes None
/// leaves, which stand for numbers that were fixed at export.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<Value<Backend>>> flatten_call(
    const TreeSpec& in_spec, std::span<const std::string> argument_names,
    const std::vector<ValueTree<Backend>>& positional,
    const std::vector<std::pair<std::string, ValueTree<Backend>>>& keywords = {},
    const TreeRegistry<Backend>& registry = {}) {
  TREADLE_TRY(auto parameters, detail::call_parameters(in_spec, argument_names));
  detail::CallMatcher<Backend> matcher(std::move(parameters), argument_names);
  for (std::size_t i = 0; i < positional.size(); ++i) TREADLE_CHECK(matcher.give(i, positional[i]));
  for (const auto& [name, tree] : keywords) TREADLE_CHECK(matcher.give(name, tree));
  return matcher.flatten(registry);
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/value/tree_call-inl.hpp>
#endif
