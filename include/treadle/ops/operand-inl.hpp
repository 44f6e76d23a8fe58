// Definitions of operands.
#pragma once

#include <treadle/ops/operand.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE bool Operand::is_none() const noexcept { return !argument_ || argument_->is_none(); }

TREADLE_INLINE const ValueId* Operand::value() const noexcept {
  return argument_ ? argument_->value() : nullptr;
}

TREADLE_INLINE const Constant* Operand::constant() const noexcept {
  return argument_ ? argument_->constant() : nullptr;
}

TREADLE_INLINE const std::int64_t* Operand::integer() const noexcept { return get<std::int64_t>(); }

TREADLE_INLINE const Argument::List* Operand::list() const noexcept {
  return argument_ ? argument_->list() : nullptr;
}

TREADLE_INLINE bool Operand::is(std::int64_t n) const noexcept {
  const auto* own = integer();
  return own && *own == n;
}

TREADLE_INLINE Argument Operand::argument() const { return argument_ ? *argument_ : Argument(); }

TREADLE_INLINE bool Operand::equals(Operand other) const {
  if (!argument_ || !other.argument_) return is_none() && other.is_none();
  return *argument_ == *other.argument_;
}

TREADLE_INLINE void OperandList::push_back(Operand item) { items_->push_back(item); }

TREADLE_INLINE void OperandList::append(Operands items) {
  items_->insert(items_->end(), items.begin(), items.end());
}
TREADLE_INLINE void OperandList::append(std::initializer_list<Operand> items) {
  append(Operands(items));
}

}  // namespace treadle::inline v0
