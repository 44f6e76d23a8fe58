// The concrete form of a type with named sizes.
#pragma once

#include <optional>

#include <treadle/config.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0 {

/// The concrete form of a stated type, if the bindings give every number.
[[nodiscard]] std::optional<TensorMeta> evaluate_type(const TensorType& type,
                                                      const Bindings& symbols);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/evaluate_type-inl.hpp>
#endif
