// What a run takes and gives: tensors, numbers, texts and objects.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/scalar.hpp>

namespace treadle::inline v0 {

/// A host object that a program passes around by reference; `type_name` is its class in the
/// program.
struct CustomObject {
  std::string type_name;
  std::shared_ptr<void> object;

  friend bool operator==(const CustomObject&, const CustomObject&) = default;
};

/// One value of a run. Cheap to copy: tensors are handles.
template <TensorBackend Backend>
class Value {
 public:
  using Tensor = typename Backend::Tensor;

  /// None.
  Value() noexcept = default;
  Value(Tensor tensor) : data_(std::move(tensor)) {}  // NOLINT: implicit on purpose
  /// Exactly a bool, so that no pointer becomes one.
  template <std::same_as<bool> Bool>
  Value(Bool v) noexcept : data_(v) {}  // NOLINT: implicit on purpose
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  Value(Integer v) noexcept : data_(static_cast<std::int64_t>(v)) {}  // NOLINT: implicit
  Value(double v) noexcept : data_(v) {}                              // NOLINT: implicit on purpose
  Value(std::complex<double> v) noexcept : data_(v) {}                // NOLINT: implicit on purpose
  Value(std::string v) : data_(std::move(v)) {}                       // NOLINT: implicit on purpose
  Value(const char* v) : data_(std::string(v)) {}                     // NOLINT: implicit on purpose
  Value(CustomObject v) : data_(std::move(v)) {}                      // NOLINT: implicit on purpose

  [[nodiscard]] bool is_none() const noexcept {
    return std::holds_alternative<std::monostate>(data_);
  }
  [[nodiscard]] bool is_tensor() const noexcept { return std::holds_alternative<Tensor>(data_); }

  /// The tensor; an error that names what was found otherwise.
  [[nodiscard]] Result<Tensor> tensor() const { return get<Tensor>("a tensor"); }
  [[nodiscard]] Result<std::int64_t> integer() const { return get<std::int64_t>("an integer"); }
  [[nodiscard]] Result<bool> boolean() const { return get<bool>("a bool"); }
  [[nodiscard]] Result<std::string> string() const { return get<std::string>("a string"); }
  /// Any number, integers and bools included.
  [[nodiscard]] Result<double> real() const {
    if (auto n = number()) return n->to_double();
    return Error(ErrorCode::type_mismatch, concat("expected a number, found ", kind()));
  }
  /// The number of any kind that this is.
  [[nodiscard]] Result<Scalar> number() const {
    if (const auto* b = std::get_if<bool>(&data_)) return Scalar(*b);
    if (const auto* i = std::get_if<std::int64_t>(&data_)) return Scalar(*i);
    if (const auto* d = std::get_if<double>(&data_)) return Scalar(*d);
    if (const auto* c = std::get_if<std::complex<double>>(&data_)) return Scalar(*c);
    return Error(ErrorCode::type_mismatch, concat("expected a number, found ", kind()));
  }
  [[nodiscard]] Result<CustomObject> object() const { return get<CustomObject>("a custom object"); }

  /// The unchecked form: null if this is anything but a `T`.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&data_);
  }
  template <class T>
  [[nodiscard]] T* get_if() noexcept {
    return std::get_if<T>(&data_);
  }

  /// `a tensor`, `an integer`, …
  [[nodiscard]] std::string_view kind() const noexcept {
    constexpr std::string_view names[] = {"None",       "a tensor",       "a bool",
                                          "an integer", "a float",        "a complex number",
                                          "a string",   "a custom object"};
    return names[data_.index()];
  }

 private:
  template <class T>
  [[nodiscard]] Result<T> get(std::string_view wanted) const {
    if (const auto* v = std::get_if<T>(&data_)) return *v;
    return Error(ErrorCode::type_mismatch, concat("expected ", wanted, ", found ", kind()));
  }

  std::variant<std::monostate, Tensor, bool, std::int64_t, double, std::complex<double>,
               std::string, CustomObject>
      data_;
};

}  // namespace treadle::inline v0
