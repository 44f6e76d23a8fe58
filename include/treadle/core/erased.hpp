// Values behind a pointer that forgets their type.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace treadle::inline v0 {

/// A shared constant value of a type that only its maker knows; null if there is none.
using Erased = std::shared_ptr<const void>;

/// Moves or copies `value` into one. A single control block class serves all types, where
/// `std::make_shared` would instantiate one for each.
template <class T>
[[nodiscard]] Erased make_erased(T&& value) {
  using Kept = std::remove_cvref_t<T>;
  void (*const destroy)(const void*) = [](const void* kept) {
    delete static_cast<const Kept*>(kept);
  };
  return Erased(static_cast<const void*>(new Kept(std::forward<T>(value))), destroy);
}

}  // namespace treadle::inline v0
