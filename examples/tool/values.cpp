// Conversions between arrays, tensors and numbers.
#include "values.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/core/concat.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/strided_copy.hpp>

namespace tool {
namespace {

using treadle::NpyArray;
using treadle::Result;

template <class T>
T element(const NpyArray& array, std::size_t i) {
  T value{};
  std::memcpy(static_cast<void*>(&value), array.data.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class T>
NpyArray number_array(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return {treadle::dtype_of<T>(), {}, treadle::Bytes::own(std::move(bytes))};
}

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_convertible_v<T, std::complex<float>> && !std::is_convertible_v<T, float>) {
    const std::complex<float> z = value;
    return fmt::format("{:.6g}{:+.6g}j", z.real(), z.imag());
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return fmt::format("{:.6g}{:+.6g}j", value.real(), value.imag());
  } else if constexpr (std::is_integral_v<T>) {
    return treadle::concat(value);
  } else {
    return fmt::format("{:.6g}", static_cast<double>(value));
  }
}

}  // namespace

Result<Tensor> to_tensor(const NpyArray& array) {
  TREADLE_TRY(auto tensor, Tensor::empty(array.dtype, array.sizes));
  TREADLE_CHECK(Backend().copy_from_host(tensor, array.data.span()));
  return tensor;
}

std::optional<Value> to_number(const NpyArray& array) {
  if (!array.sizes.empty()) return std::nullopt;
  std::optional<Value> number;
  treadle::visit_dtype(array.dtype, [&]<class T>(treadle::TypeTag<T>) {
    const T value = element<T>(array, 0);
    if constexpr (std::is_same_v<T, bool>)
      number = Value(value);
    else if constexpr (std::is_integral_v<T>)
      number = Value(static_cast<std::int64_t>(value));
    else if constexpr (std::is_convertible_v<T, double>)
      number = Value(static_cast<double>(value));
    else if constexpr (std::is_same_v<T, std::complex<double>>)
      number = Value(value);
    else
      number = Value(std::complex<double>(std::complex<float>(value)));
  });
  return number;
}

std::optional<NpyArray> to_array(const Value& value) {
  if (const auto* v = value.get_if<bool>()) return number_array(*v);
  if (const auto* v = value.get_if<std::int64_t>()) return number_array(*v);
  if (const auto* v = value.get_if<double>()) return number_array(*v);
  if (const auto* v = value.get_if<std::complex<double>>()) return number_array(*v);
  const auto* tensor = value.get_if<Tensor>();
  if (!tensor) return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor->count()) *
                               treadle::size_of(tensor->dtype()));
  if (!Backend().copy_to_host(*tensor, bytes)) return std::nullopt;
  return NpyArray{tensor->dtype(), tensor->sizes(), treadle::Bytes::own(std::move(bytes))};
}

Result<Value> copy_of(const Value& value) {
  const auto* tensor = value.get_if<Tensor>();
  if (!tensor) return value;
  treadle::TensorMeta meta = tensor->meta();
  meta.storage_offset = 0;
  TREADLE_TRY(auto copy, Tensor::empty(meta));
  treadle::copy_elements(tensor->bytes(), tensor->meta(), copy.bytes(), meta);
  return Value(std::move(copy));
}

std::string first_elements(const NpyArray& array) {
  constexpr std::size_t shown = 6;
  std::string text = "[";
  const auto count = static_cast<std::size_t>(treadle::element_count(array.sizes));
  treadle::visit_dtype(array.dtype, [&]<class T>(treadle::TypeTag<T>) {
    for (std::size_t i = 0; i < count && i < shown; ++i)
      text += (i == 0 ? "" : ", ") + text_of<T>(element<T>(array, i));
  });
  return text + (count > shown ? ", …]" : "]");
}

std::string describe(const NpyArray& array) {
  return treadle::to_string(treadle::make_meta(array.dtype, array.sizes));
}

}  // namespace tool
