// Makes a method of plain C++ parameters one that takes a `MethodCall`.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/method_call.hpp>

namespace treadle::inline v0::detail {

/// The object's class, the parameters after it, and the result of a callable.
template <class T>
struct MethodTraits : MethodTraits<decltype(&T::operator())> {};
template <class Returned, class Object, class... Parameters>
struct MethodTraits<Returned (*)(Object&, Parameters...)> {
  using Class = Object;
  using Result = Returned;
  using Tuple = std::tuple<std::remove_cvref_t<Parameters>...>;
};
template <class Lambda, class Returned, class Object, class... Parameters>
struct MethodTraits<Returned (Lambda::*)(Object&, Parameters...) const>
    : MethodTraits<Returned (*)(Object&, Parameters...)> {};
template <class Returned, class Object, class... Parameters>
struct MethodTraits<Returned (Object::*)(Parameters...)>
    : MethodTraits<Returned (*)(Object&, Parameters...)> {};

/// The argument as a parameter's type.
template <class T, TensorBackend Backend>
Result<T> method_argument(const MethodCall<Backend>& call, std::size_t i) {
  const Value<Backend>& value = call.argument(i);
  if constexpr (std::is_same_v<T, Value<Backend>>)
    return value;
  else if constexpr (std::is_same_v<T, typename Backend::Tensor>)
    return value.tensor();
  else if constexpr (std::is_same_v<T, bool>)
    return value.boolean();
  else if constexpr (std::integral<T>) {
    TREADLE_TRY(const auto number, value.integer());
    return static_cast<T>(number);
  } else if constexpr (std::floating_point<T>) {
    TREADLE_TRY(const auto number, value.real());
    return static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, CustomObject>)
    return value.object();
  else {
    static_assert(std::is_same_v<T, std::string>,
                  "treadle: a method's parameters are a tensor, a number, a bool, a std::string, a "
                  "CustomObject or a Value, or one MethodCall<Backend>&");
    return value.string();
  }
}

template <class T, TensorBackend Backend>
Status give_result(MethodCall<Backend>& call, T result) {
  if constexpr (std::is_same_v<T, Status>) {
    return result;
  } else if constexpr (requires {
                         typename T::value_type;
                         result.error();
                       }) {
    if (!result) return std::move(result).error();
    return give_result(call, *std::move(result));
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    std::apply([&](auto&... items) { (call.give(std::move(items)), ...); }, result);
  } else {
    call.give(std::move(result));
  }
  return {};
}

template <TensorBackend Backend, class Function, class Object, class Tuple, std::size_t... Index>
Status call_typed(const Function& function, Object& object, MethodCall<Backend>& call,
                  std::type_identity<Tuple>, std::index_sequence<Index...>) {
  if (call.size() != sizeof...(Index))
    return call.fail("the method takes ", sizeof...(Index), " arguments, found ", call.size());
  auto arguments = std::tuple(method_argument<std::tuple_element_t<Index, Tuple>>(call, Index)...);
  Status status;
  std::size_t number = 0;
  const auto check = [&](auto& argument) {
    if (status && !argument)
      status = std::move(argument).error().with_context(concat("argument ", number));
    ++number;
  };
  static_cast<void>(check);
  (check(std::get<Index>(arguments)), ...);
  if (!status) return status;
  const auto invoke = [&]() -> decltype(auto) {
    if constexpr (std::is_member_pointer_v<Function>)
      return (object.*function)(*std::move(std::get<Index>(arguments))...);
    else
      return function(object, *std::move(std::get<Index>(arguments))...);
  };
  if constexpr (std::is_void_v<decltype(invoke())>) {
    invoke();
    return {};
  } else {
    return give_result(call, invoke());
  }
}

/// Calls a host's method on an object of the class that its first parameter says.
template <TensorBackend Backend, class Function>
Status call_method(const Function& function, void* object, MethodCall<Backend>& call) {
  using Traits = MethodTraits<Function>;
  using Tuple = typename Traits::Tuple;
  auto& self = *static_cast<typename Traits::Class*>(object);
  if constexpr (std::is_same_v<Tuple, std::tuple<MethodCall<Backend>>>)
    return function(self, call);
  else
    return call_typed(function, self, call, std::type_identity<Tuple>{},
                      std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

}  // namespace treadle::inline v0::detail
