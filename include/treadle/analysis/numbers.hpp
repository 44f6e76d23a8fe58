// Small questions about nodes: numbers in their forms, sizes, randomness.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/symbolic/number.hpp>

namespace treadle::inline v0::detail {

Constant to_constant(const Number& number);

DType number_dtype(const Constant& constant);

std::optional<Number> to_number(const Argument& argument);

/// Answers a size query on concrete metadata.
Result<std::int64_t> query_size(SizeQuery query, const TensorMeta& meta, std::int64_t dim);

/// Draws random numbers; dropout does not in evaluation.
bool draws(const OperatorInfo& op, const CallSite& site);

/// A list of constants of one kind as one constant; mixed numbers become floats.
[[nodiscard]] Constant join_constants(const std::vector<Constant>& items);

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/analysis/numbers-inl.hpp>
#endif
