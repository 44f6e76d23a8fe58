// A borrowed callable: two words, no ownership.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace treadle::inline v0 {

template <class Signature>
class FunctionRef;

/// Refers to a callable that must outlive it; meant for parameters.
template <class Return, class... Args>
class FunctionRef<Return(Args...)> {
 public:
  template <class Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_invocable_r_v<Return, Callable&, Args...>)
  FunctionRef(Callable&& callable) noexcept  // NOLINT: implicit on purpose
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> Return {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(
              std::forward<Args>(args)...);
        }) {}

  Return operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Return (*call_)(void*, Args...);
};

}  // namespace treadle::inline v0
