// Which code a product of a dtype goes through.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include <treadle/core/dtype.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/half.hpp>
#include <treadle/cpu/gemm/gemm_plan.hpp>

namespace treadle::inline v0::cpu::detail {

/// Calls `function(TypeTag<Element>, TypeTag<T>)` for the dtypes with micro-kernels for T.
template <class Function>
bool visit_gemm_float(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::float32: function(TypeTag<float>{}, TypeTag<float>{}); return true;
    case DType::float64: function(TypeTag<double>{}, TypeTag<double>{}); return true;
    case DType::float16: function(TypeTag<Half>{}, TypeTag<float>{}); return true;
    case DType::bfloat16: function(TypeTag<BFloat16>{}, TypeTag<float>{}); return true;
    default: return false;
  }
}

/// Calls `function(TypeTag<Element>)` for the dtypes that go through plain loops.
template <class Function>
bool visit_gemm_any(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::int8: function(TypeTag<std::int8_t>{}); return true;
    case DType::uint8: function(TypeTag<std::uint8_t>{}); return true;
    case DType::int16: function(TypeTag<std::int16_t>{}); return true;
    case DType::int32: function(TypeTag<std::int32_t>{}); return true;
    case DType::int64: function(TypeTag<std::int64_t>{}); return true;
    case DType::complex32: function(TypeTag<ComplexHalf>{}); return true;
    case DType::complex64: function(TypeTag<std::complex<float>>{}); return true;
    case DType::complex128: function(TypeTag<std::complex<double>>{}); return true;
    default: return false;
  }
}

constexpr bool has_micro_kernel(DType dtype) noexcept {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
         dtype == DType::bfloat16;
}

/// Bytes of one element of a packed panel.
constexpr std::size_t packed_size(DType dtype) noexcept {
  return dtype == DType::float16 || dtype == DType::bfloat16 ? sizeof(float) : size_of(dtype);
}

/// Products that are better run side by side than split.
inline bool is_small_product(const GemmPlan& plan) noexcept {
  return plan.m <= 512 && plan.n <= 512 && plan.m * plan.n <= (1 << 22) / (plan.k + 1);
}

}  // namespace treadle::inline v0::cpu::detail
