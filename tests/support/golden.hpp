// Golden programs with their inputs, as the stock backend's tensors.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/exec/bound_module.hpp>
#include <treadle/exec/transfer.hpp>
#include <treadle/value/value.hpp>

namespace test {

using Arrays = std::vector<treadle::NamedArray>;

inline const treadle::NpyArray* find(const Arrays& arrays, const std::string& name) {
  for (const auto& [key, array] : arrays)
    if (key == name) return &array;
  return nullptr;
}

inline treadle::cpu::Tensor tensor_of(const treadle::NpyArray& array) {
  treadle::cpu::Backend backend;
  auto tensor = backend.adopt(array.data.span(), array.data.owner(),
                              treadle::make_meta(array.dtype, array.sizes));
  REQUIRE(tensor);
  return *treadle::clone_tensor(backend, *tensor);
}

/// Elements as complex doubles, whatever the dtype.
inline std::vector<std::complex<double>> numbers(const treadle::cpu::Tensor& any) {
  treadle::cpu::Backend backend;
  const treadle::cpu::Tensor tensor = *treadle::clone_tensor(backend, any);
  std::vector<std::complex<double>> out;
  treadle::visit_dtype(tensor.dtype(), [&]<class T>(treadle::TypeTag<T>) {
    for (const T& e : tensor.elements<T>()) {
      if constexpr (std::is_same_v<T, treadle::ComplexHalf>)
        out.push_back(std::complex<float>(e));
      else if constexpr (std::is_convertible_v<T, float>)
        out.emplace_back(static_cast<double>(e));
      else
        out.emplace_back(e);
    }
  });
  return out;
}

inline treadle::Value<treadle::cpu::Backend> value_of(const treadle::NpyArray& array, bool tensor) {
  treadle::cpu::Tensor made = tensor_of(array);
  if (tensor) return made;
  const double number = numbers(made)[0].real();
  if (array.dtype == treadle::DType::bool_) return number != 0;
  if (array.dtype == treadle::DType::int64) return static_cast<std::int64_t>(number);
  return number;
}

/// The inputs `in0`, `in1`, … of a program.
inline std::vector<treadle::Value<treadle::cpu::Backend>> inputs_of(
    const treadle::BoundModule<treadle::cpu::Backend>& bound, const Arrays& arrays) {
  std::vector<treadle::Value<treadle::cpu::Backend>> inputs;
  for (std::size_t i = 0; i < bound.user_input_count(); ++i) {
    const auto* array = find(arrays, "in" + std::to_string(i));
    const auto v = bound.user_input(i);
    const bool tensor = v.valid() && bound.graph().value(v).tensor.has_value();
    inputs.push_back(array ? value_of(*array, tensor) : treadle::Value<treadle::cpu::Backend>());
  }
  return inputs;
}

inline std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TREADLE_GOLDEN_DIR) + "/programs"))
    if (entry.path().extension() == ".pt2") files.push_back(entry.path());
  REQUIRE(files.size() > 20);
  return files;
}

}  // namespace test
