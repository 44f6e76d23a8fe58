// How tables of operators that others define are written.
#pragma once

#include <string_view>

#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail::composite {

/// A definition without a shape rule. With `alias` the result may be the argument itself.
constexpr OpDef composed(std::string_view schema, OpDef::Decompose by, bool alias = false) {
  OpDef definition;
  definition.schema = schema;
  definition.traits.may_alias = alias;
  definition.decompose = by;
  return definition;
}

}  // namespace treadle::inline v0::detail::composite
