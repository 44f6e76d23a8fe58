// A value or an error: the return type of everything that can fail.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <treadle/config.hpp>
#include <treadle/core/error.hpp>

namespace treadle::inline v0 {

/// Holds a `T` or an `Error`.
///
///     Result<Model<>> model = Model<>::load("model.pt2");
///     if (!model) return report(model.error());
///     model->run(inputs);
///
/// Reading the value of a failed result is a broken precondition.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  template <class U = T>
    requires(std::is_constructible_v<T, U &&> && !std::is_same_v<std::remove_cvref_t<U>, Error> &&
             !std::is_same_v<std::remove_cvref_t<U>, Result>)
  Result(U&& value) : value_(std::forward<U>(value)), good_(true) {}      // NOLINT: implicit
  Result(Error error) noexcept : nothing_(), error_(std::move(error)) {}  // NOLINT: on purpose
  Result(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : nothing_(), error_(std::move(other.error_)) {
    if (other.good_) put(std::move(other.value_));
  }
  Result& operator=(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    if (std::exchange(good_, false)) std::destroy_at(&value_);
    error_ = std::move(other.error_);
    if (other.good_) put(std::move(other.value_));
    return *this;
  }
  ~Result() {
    if (good_) std::destroy_at(&value_);
  }

  [[nodiscard]] bool has_value() const noexcept { return good_; }
  [[nodiscard]] explicit operator bool() const noexcept { return good_; }

  [[nodiscard]] T& operator*() & noexcept { return checked(); }
  [[nodiscard]] const T& operator*() const& noexcept {
    TREADLE_ASSERT(good_, "value of a failed result");
    return value_;
  }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(checked()); }
  [[nodiscard]] T* operator->() noexcept { return &checked(); }
  [[nodiscard]] const T* operator->() const noexcept { return &**this; }

  [[nodiscard]] const Error& error() const& noexcept {
    TREADLE_ASSERT(!good_, "error of a good result");
    return error_;
  }
  [[nodiscard]] Error error() && noexcept {
    TREADLE_ASSERT(!good_, "error of a good result");
    return std::move(error_);
  }

  /// Adds `where` in front of the message if this failed.
  [[nodiscard]] Result with_context(std::string_view where) && {
    if (!good_) error_ = std::move(error_).with_context(where);
    return std::move(*this);
  }

 private:
  T& checked() noexcept {
    TREADLE_ASSERT(good_, "value of a failed result");
    return value_;
  }
  void put(T&& value) {
    std::construct_at(&value_, std::move(value));
    good_ = true;
  }

  // Not std::optional, which instantiates a dozen classes for each type.
  struct Nothing {};
  union {
    T value_;
    Nothing nothing_;
  };
  Error error_;
  bool good_ = false;
};

/// Success or an error. One pointer wide, so that a kernel's good return costs one test.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() noexcept = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool has_value() const noexcept { return error_.empty(); }
  [[nodiscard]] explicit operator bool() const noexcept { return error_.empty(); }
  [[nodiscard]] const Error& error() const& noexcept {
    TREADLE_ASSERT(!error_.empty(), "error of a good status");
    return error_;
  }
  [[nodiscard]] Error error() && noexcept {
    TREADLE_ASSERT(!error_.empty(), "error of a good status");
    return std::move(error_);
  }
  [[nodiscard]] Result with_context(std::string_view where) && {
    if (!error_.empty()) error_ = std::move(error_).with_context(where);
    return std::move(*this);
  }

 private:
  Error error_;
};

using Status = Result<void>;

}  // namespace treadle::inline v0
