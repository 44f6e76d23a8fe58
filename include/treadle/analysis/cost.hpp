// How long a node will take, roughly, from the shapes of its arguments and results.
#pragma once

#include <span>
#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// An estimate in nanoseconds for one core of a current machine: elements times what an element
/// costs in this kind of operator. Right within a factor of a few for the usual operators, which is
/// what putting nodes together and deciding for threads takes; nothing else depends on it.
/// Operators that are not PyTorch's count as a few microseconds. Null pointers stand for None.
[[nodiscard]] double estimate_nanoseconds(std::string_view target,
                                          std::span<const TensorMeta* const> inputs,
                                          std::span<const TensorMeta* const> outputs);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/analysis/cost-inl.hpp>
#endif
