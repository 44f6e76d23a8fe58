// The classes of custom objects that a host has for its programs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/method_call.hpp>
#include <treadle/exec/typed_method.hpp>

namespace treadle::inline v0 {

/// A custom object as a program file holds it.
struct ObjectSource {
  std::string name;        ///< in the program, e.g. `queue`
  std::string class_name;  ///< `studio::Queue`
  /// What the file holds for it: PyTorch writes a zip archive with a pickle, which nothing here
  /// executes.
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< keeps `bytes` alive
};

/// How objects are made from a file's bytes, and what their methods do: a value, copy it, add to
/// it. Classes are named `namespace::Class`.
///
///     CustomClasses<cpu::Backend> classes;
///     classes.add_class("studio::Queue", [](const ObjectSource&) { return make_queue(); });
///     classes.add("studio::Queue", "push", [](Queue& queue, const Tensor& t) { queue.push(t); });
template <TensorBackend Backend>
class CustomClasses {
 public:
  using Object = std::shared_ptr<void>;
  using Make = std::function<Result<Object>(const ObjectSource&)>;
  using Copy = std::function<Result<Object>(const void* object)>;
  using Method = std::function<Status(void* object, MethodCall<Backend>&)>;

  /// Says how objects of a class that are in files are made: once for each state of a program, so
  /// that sessions do not share them. `copy` is for copies of a state and may be empty. Objects
  /// that the host gives as inputs need no entry.
  CustomClasses& add_class(std::string name, Make make, Copy copy = {}) {
    classes_.insert_or_assign(std::move(name), Class{std::move(make), std::move(copy)});
    return *this;
  }
  /// `method` is a member function or a callable whose first parameter is `T&`, where `T` is the
  /// class of the objects that `add_class` makes or the host gives. Its other parameters are
  /// tensors, numbers, bools, strings, `CustomObject`s or `Value`s; or there is one, a
  /// `MethodCall<Backend>&`. It returns nothing, a result, a tuple of them, or a `Status` or
  /// `Result`.
  template <class Function>
  CustomClasses& add(std::string_view class_name, std::string_view method, Function function) {
    methods_.insert_or_assign(
        concat(class_name, '.', method),
        [function = std::move(function)](void* object, MethodCall<Backend>& call) -> Status {
          return detail::call_method(function, object, call);
        });
    return *this;
  }
  /// An operator, e.g. `studio::queue_push`, that takes a custom object as its first argument.
  /// `function` is as for `add`.
  template <class Function>
  CustomClasses& add_operator(std::string_view target, Function function) {
    return add("", target, std::move(function));
  }

  /// The method, or null; `class_name` is empty for operators. Valid until this changes.
  [[nodiscard]] const Method* find(std::string_view class_name, std::string_view method) const {
    const auto found = methods_.find(concat(class_name, '.', method));
    return found == methods_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool has_class(std::string_view name) const { return classes_.contains(name); }

  /// Makes an object from a file.
  [[nodiscard]] Result<Object> make(const ObjectSource& source) const {
    const auto found = classes_.find(source.class_name);
    if (found == classes_.end() || !found->second.make)
      return Error(ErrorCode::missing_kernel,
                   concat("class '", source.class_name, "' is not in ModelOptions::classes"));
    auto made = found->second.make(source);
    if (made && !*made) return Error(ErrorCode::kernel_failed, "the host's class gave no object");
    return made;
  }
  /// A copy of an object that `make` made.
  [[nodiscard]] Result<Object> copy(std::string_view class_name, const void* object) const {
    const auto found = classes_.find(class_name);
    if (found == classes_.end() || !found->second.copy)
      return Error(ErrorCode::missing_kernel,
                   concat("objects of class '", class_name,
                          "' can't be copied: CustomClasses::add_class was given no copy"));
    return found->second.copy(object);
  }

 private:
  struct Class {
    Make make;
    Copy copy;
  };
  std::map<std::string, Class, std::less<>> classes_;
  std::map<std::string, Method, std::less<>> methods_;
};

}  // namespace treadle::inline v0
