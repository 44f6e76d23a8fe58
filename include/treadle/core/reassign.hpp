// Assignment by destroying and constructing.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace treadle::inline v0 {

/// Gives `held` the value of `other`, which may be `held` itself or a part of it. For classes
/// around a variant, whose own assignment is a function more for each of its alternatives.
template <class T>
  requires std::is_nothrow_move_constructible_v<T>
T& reassign(T& held, T&& other) noexcept {
  T taken(std::move(other));
  std::destroy_at(&held);
  return *std::construct_at(&held, std::move(taken));
}

}  // namespace treadle::inline v0
