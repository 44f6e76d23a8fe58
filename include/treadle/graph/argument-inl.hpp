// Definitions of the argument: its variant is copied, moved and compared here alone.
#pragma once

#include <utility>

#include <treadle/graph/argument.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Argument::Argument() noexcept = default;
TREADLE_INLINE Argument::Argument(Constant constant) noexcept : data_(std::move(constant)) {}
TREADLE_INLINE Argument::Argument(ValueId value) noexcept : data_(value) {}
TREADLE_INLINE Argument::Argument(List list) noexcept : data_(std::move(list)) {}
TREADLE_INLINE Argument::Argument(Dict dict) noexcept : data_(std::move(dict)) {}
TREADLE_INLINE Argument::Argument(Subgraph graph) noexcept : data_(std::move(graph)) {}
TREADLE_INLINE Argument::Argument(const Argument& other) = default;
TREADLE_INLINE Argument::Argument(Argument&& other) noexcept = default;
TREADLE_INLINE Argument& Argument::operator=(const Argument& other) = default;
TREADLE_INLINE Argument& Argument::operator=(Argument&& other) noexcept = default;
TREADLE_INLINE Argument::~Argument() = default;

TREADLE_INLINE bool Argument::equals(const Argument& other) const { return data_ == other.data_; }

}  // namespace treadle::inline v0
