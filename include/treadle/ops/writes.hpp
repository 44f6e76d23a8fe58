// Which of its arguments a call writes.
#pragma once

#include <cstddef>

#include <treadle/graph/argument.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/op_def.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {
namespace detail {

/// A flag that a run decides counts as true: a write that may happen is a write.
[[nodiscard]] inline bool may_be_true(const Argument* flag) noexcept {
  const bool* known = flag ? flag->get<bool>() : nullptr;
  return !known || *known;
}
[[nodiscard]] inline bool may_be_true(const InferValue* flag) noexcept {
  const auto* constant = flag ? std::get_if<Constant>(&flag->data) : nullptr;
  const bool* known = constant ? std::get_if<bool>(constant) : nullptr;
  return !known || *known;
}

}  // namespace detail

/// True if a call of this operator writes argument `i`: the schema marks it, or the traits do and
/// the flag on which it depends is not false. `argument_at(place)` gives a pointer to what the call
/// passes there, an `Argument` or an `InferValue`; null if it is not known.
template <class ArgumentAt>
[[nodiscard]] bool writes_argument(const OpDef& definition, const Schema& schema, std::size_t i,
                                   ArgumentAt&& argument_at) {
  if (schema.arguments[i].writes) return true;
  const UnmarkedWrites& unmarked = definition.traits.unmarked_writes;
  if ((unmarked.arguments >> i & 1U) == 0) return false;
  return detail::may_be_true(argument_at(std::size_t{unmarked.decider}));
}

}  // namespace treadle::inline v0
