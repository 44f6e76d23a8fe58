// Definitions of the argument: its variants are made, copied, moved and compared here alone.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <treadle/core/reassign.hpp>
#include <treadle/graph/argument.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Constant::Constant() noexcept = default;
TREADLE_INLINE Constant::Constant(None v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(Tag, bool v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(Tag, std::int64_t v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(double v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(std::complex<double> v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(std::string v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(const char* v) : variant(std::string(v)) {}
TREADLE_INLINE Constant::Constant(DType v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(Device v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(Layout v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(MemoryFormat v) noexcept : variant(v) {}
TREADLE_INLINE Constant::Constant(OperatorName v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(std::vector<bool> v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(std::vector<std::int64_t> v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(std::vector<double> v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(std::vector<std::string> v) noexcept : variant(std::move(v)) {}
TREADLE_INLINE Constant::Constant(const Constant& other) = default;
TREADLE_INLINE Constant::Constant(Constant&& other) noexcept = default;
TREADLE_INLINE Constant& Constant::operator=(const Constant& other) {
  return reassign(*this, Constant(other));
}
TREADLE_INLINE Constant& Constant::operator=(Constant&& other) noexcept {
  return reassign(*this, std::move(other));
}
TREADLE_INLINE Constant::~Constant() = default;

TREADLE_INLINE bool Constant::equals(const Constant& other) const {
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

TREADLE_INLINE Argument::Argument() noexcept = default;
TREADLE_INLINE Argument::Argument(Constant constant) noexcept : data_(std::move(constant)) {}
TREADLE_INLINE Argument::Argument(ValueId value) noexcept : data_(value) {}
TREADLE_INLINE Argument::Argument(List list) noexcept : data_(std::move(list)) {}
TREADLE_INLINE Argument::Argument(Dict dict) noexcept : data_(std::move(dict)) {}
TREADLE_INLINE Argument::Argument(Subgraph graph) noexcept : data_(std::move(graph)) {}
TREADLE_INLINE Argument::Argument(const Argument& other) = default;
TREADLE_INLINE Argument::Argument(Argument&& other) noexcept = default;
TREADLE_INLINE Argument& Argument::operator=(const Argument& other) {
  return reassign(*this, Argument(other));
}
TREADLE_INLINE Argument& Argument::operator=(Argument&& other) noexcept {
  return reassign(*this, std::move(other));
}
TREADLE_INLINE Argument::~Argument() = default;

TREADLE_INLINE bool Argument::equals(const Argument& other) const { return data_ == other.data_; }

TREADLE_INLINE void Argument::for_each_value(FunctionRef<void(ValueId&)> function) {
  if (auto* id = value()) function(*id);
  if (auto* items = list())
    for (auto& item : *items) item.for_each_value(function);
  if (auto* items = dict())
    for (auto& item : *items) item.second.for_each_value(function);
}
TREADLE_INLINE void Argument::for_each_value(FunctionRef<void(const ValueId&)> function) const {
  const_cast<Argument*>(this)->for_each_value([&](ValueId& id) { function(id); });
}

}  // namespace treadle::inline v0
