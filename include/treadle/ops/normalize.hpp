// Lines a call's arguments up with the schema: names resolved, defaults filled in.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {

/// The value of a default such as `1`, `None`, `[0, 1]`, `True`, `"mean"`, `contiguous_format`.
[[nodiscard]] Result<Constant> parse_default(const SchemaArgument& argument);

/// One argument for each of the schema's, in its order. Arguments with an empty name are taken by
/// position; unknown, repeated and missing ones are errors that name them.
[[nodiscard]] Result<std::vector<Argument>> normalize_arguments(
    const Schema& schema, std::span<const NamedArgument> arguments);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/normalize-inl.hpp>
#endif
