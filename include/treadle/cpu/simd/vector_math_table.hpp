// The tables of vectorised functions on contiguous arrays.
#pragma once

#include <cstddef>

#include <treadle/config.hpp>
#include <treadle/cpu/simd/target.hpp>

namespace treadle::inline v0::cpu::simd {

/// `out[i] = f(in[i])`; `out` may be `in`.
template <class T>
using UnaryFunction = void (*)(const T* in, T* out, std::size_t n);
/// `out[i] = f(a[i], b[i])`; `out` may be `a` or `b`.
template <class T>
using BinaryFunction = void (*)(const T* a, const T* b, T* out, std::size_t n);
/// `out[i] = f(a[i], b)`.
template <class T>
using ScalarFunction = void (*)(const T* a, T b, T* out, std::size_t n);

/// Element-wise functions on arrays of `n` float32; every `n` from 0 is allowed, pointers need no
/// alignment, nothing is read or written outside [0, n). `out` is an input array or does not
/// overlap it. Results depend on the element alone, not on its place. Errors are the largest ones
/// measured against double precision over a dense sweep, in units of the last place (ulp).
struct VectorMaps {
  UnaryFunction<float> exp;        ///< 0.97 ulp; overflows to inf, underflows through denormals
  UnaryFunction<float> log;        ///< 0.76 ulp; log(0) = -inf, log(<0) = NaN
  UnaryFunction<float> tanh;       ///< 1.2 ulp
  UnaryFunction<float> sigmoid;    ///< 2.2 ulp
  UnaryFunction<float> erf;        ///< 1.4 ulp
  UnaryFunction<float> gelu;       ///< x · Φ(x) by erf
  UnaryFunction<float> gelu_tanh;  ///< the tanh approximation
  UnaryFunction<float> silu;       ///< x · sigmoid(x)
  UnaryFunction<float> relu;       ///< NaN passes through
  UnaryFunction<float> sqrt;       ///< exact rounding
  UnaryFunction<float> rsqrt;      ///< 1 / sqrt(x), two roundings
  UnaryFunction<float> neg;
  UnaryFunction<float> abs;
  UnaryFunction<float> reciprocal;

  BinaryFunction<float> add;
  BinaryFunction<float> sub;
  BinaryFunction<float> mul;
  BinaryFunction<float> div;
  BinaryFunction<float> max;  ///< NaN if one of the two is, as torch.maximum
  BinaryFunction<float> min;  ///< NaN if one of the two is, as torch.minimum

  ScalarFunction<float> add_scalar;
  ScalarFunction<float> mul_scalar;
  ScalarFunction<float> rsub_scalar;  ///< b - a[i]
  ScalarFunction<float> div_scalar;   ///< a[i] / b
  ScalarFunction<float> rdiv_scalar;  ///< b / a[i]

  /// `out[i] = a[i] · b[i] + c[i]`, one rounding where the target has FMA.
  void (*fma)(const float* a, const float* b, const float* c, float* out, std::size_t n);
  /// `out[i] = (in[i] - centre) · scale + shift`.
  void (*affine)(const float* in, float centre, float scale, float shift, float* out,
                 std::size_t n);
};

/// Reductions of arrays of `n` elements, and what normalises a row by them; as in `VectorMaps`
/// otherwise. They add fixed blocks in a fixed order: their bits depend on the target, never on
/// threads.
struct VectorReductions {
  /// Sums; 0 for n = 0.
  float (*sum)(const float* in, std::size_t n);
  double (*sum_f64)(const double* in, std::size_t n);
  /// Adds to each of `n` sums the elements of its column, from the first row to the last. Rows
  /// are `stride` elements apart.
  void (*sum_columns)(double* sums, const float* rows, std::ptrdiff_t stride, std::size_t count,
                      std::size_t n);
  /// Sum of products.
  float (*dot)(const float* a, const float* b, std::size_t n);
  /// Largest and smallest element, NaN if there is one; -inf and inf for n = 0.
  float (*reduce_max)(const float* in, std::size_t n);
  float (*reduce_min)(const float* in, std::size_t n);
  /// Writes exp(in[i] - max) and returns the sum of what it wrote.
  float (*exp_sum)(const float* in, float max, float* out, std::size_t n);
  /// A whole softmax of one row; a row of -inf gives NaN, as in PyTorch.
  UnaryFunction<float> softmax;
  /// The logarithm of softmax of one row.
  UnaryFunction<float> log_softmax;
  /// Mean and biased variance of one row, in two passes.
  void (*mean_variance)(const float* in, std::size_t n, float* mean, float* variance);
  /// Layer normalisation of one row; `weight` and `bias` have n elements or are null.
  void (*layer_norm)(const float* in, const float* weight, const float* bias, float epsilon,
                     float* out, std::size_t n, float* mean, float* rstd);
  /// Root-mean-square normalisation of one row; `weight` has n elements or is null.
  void (*rms_norm)(const float* in, const float* weight, float epsilon, float* out, std::size_t n);
};

}  // namespace treadle::inline v0::cpu::simd
