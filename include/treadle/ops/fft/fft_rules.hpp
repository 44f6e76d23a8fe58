// Shape rules of Fourier transforms.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/ops/fft/fft_form.hpp>
#include <treadle/ops/fft/fft_strides.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// The transformed dimensions, in the order of the call: by default those that `s` sizes, or all.
[[nodiscard]] inline Result<std::vector<std::size_t>> fft_dims(const InferContext& context,
                                                               std::size_t dims_at,
                                                               std::size_t sizes_at) {
  const std::size_t rank = context.tensor(0).rank();
  SymDims dims = context.integers(dims_at);
  if (context.is_none(dims_at)) {
    const std::size_t count = context.is_none(sizes_at) ? rank : context.integers(sizes_at).size();
    if (count > rank) return context.fail("can't transform ", count, " of ", rank, " dimensions");
    for (std::size_t d = rank - count; d < rank; ++d) dims.push_back(static_cast<std::int64_t>(d));
  }
  return wrap_dimensions(context, dims, rank);
}

/// The dtype of the results: complex unless real numbers are wanted.
[[nodiscard]] inline Result<DType> fft_dtype(const InferContext& context,
                                             treadle::detail::FftKind kind) {
  const DType dtype = to_float_dtype(context.tensor(0).dtype);
  const bool reads_real = kind == treadle::detail::FftKind::real_to_half ||
                          kind == treadle::detail::FftKind::real_to_full;
  if (reads_real && is_complex(dtype))
    return context.fail("expected real numbers, found ", name(dtype));
  const DType real = real_dtype(dtype);
  if (real != DType::float32 && real != DType::float64)
    return context.fail("there is no transform of ", name(dtype), " numbers");
  return kind == treadle::detail::FftKind::half_to_real ? real : complex_dtype(real);
}

inline Status check_fft_size(const InferContext& context, const SymInt& size) {
  if (!size.known() || *size.value() >= 1) return {};
  return context.fail("the number of data points must be positive, found ", to_string(size));
}

/// A result of new memory laid out as PyTorch's transform leaves it.
inline void add_transformed(InferContext& context, DType dtype, const TensorType& input,
                            const std::vector<std::size_t>& dims, SymDims sizes,
                            treadle::detail::FftKind kind) {
  TensorType out = make_type(dtype, std::move(sizes), input.device);
  out.strides = fft_strides(input, out.sizes, dims, kind);
  context.add(std::move(out));
}

/// What the transform of `self` reads: converted to the dtype it works in.
[[nodiscard]] inline TensorType converted_input(const TensorType& self, bool to_complex) {
  const DType real = to_float_dtype(self.dtype);
  const DType wanted = to_complex ? complex_dtype(real_dtype(real)) : real;
  return wanted == self.dtype ? self : like(self, wanted);
}

/// `fft_*(self, n or s, dim, norm)`.
inline Status fft_rule(InferContext& context) {
  const auto form = treadle::detail::fft_form(treadle::detail::fft_name(context.schema().name));
  const TensorType& self = context.tensor(0);
  std::vector<std::size_t> dims;
  SymDims wanted;
  if (form.many) {
    TREADLE_TRY(dims, fft_dims(context, 2, 1));
    wanted = context.integers(1);
    if (!context.is_none(1) && wanted.size() != dims.size())
      return context.fail("expected ", dims.size(), " sizes, found ", wanted.size());
  } else {
    TREADLE_TRY(const std::size_t dim, context.dimension(2, self.rank()));
    dims.push_back(dim);
    if (!context.is_none(1)) wanted.push_back(context.integer(1));
  }
  if (self.rank() == 0) return context.fail("expected at least one dimension");
  TREADLE_TRY(const DType dtype, fft_dtype(context, form.kind));
  SymDims sizes = self.sizes, read = self.sizes;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    SymInt& size = sizes[dims[i]];
    const bool is_last = i + 1 == dims.size();
    const bool given = i < wanted.size() && !wanted[i].is(-1);
    const bool restores = is_last && form.kind == treadle::detail::FftKind::half_to_real;
    if (given)
      size = wanted[i];
    else if (restores)
      size = (size - 1) * 2;
    TREADLE_CHECK(check_fft_size(context, size));
    if (given) read[dims[i]] = restores ? floor_div(size, 2) + 1 : size;
    if (is_last && form.kind == treadle::detail::FftKind::real_to_half)
      size = floor_div(size, 2) + 1;
  }
  const bool keeps_real = form.kind == treadle::detail::FftKind::real_to_half;
  const bool widens = !form.many && !keeps_real && !is_complex(self.dtype) &&
                      form.kind == treadle::detail::FftKind::complex_to_complex;
  TensorType input = resized(converted_input(self, !keeps_real && !widens), read);
  // `hfft` works on a copy with conjugate elements.
  if (form.conjugates && form.kind == treadle::detail::FftKind::half_to_real)
    input = like(input, input.dtype);
  add_transformed(context, dtype, input, dims, std::move(sizes),
                  widens ? treadle::detail::FftKind::real_to_full : form.kind);
  return {};
}

/// `_fft_r2c(self, dim, normalization, onesided)` and its relatives.
inline Status raw_fft_rule(InferContext& context) {
  using treadle::detail::FftKind;
  auto kind = treadle::detail::fft_form(treadle::detail::fft_name(context.schema().name)).kind;
  const TensorType& self = context.tensor(0);
  TREADLE_TRY(const auto dims, wrap_dimensions(context, context.integers(1), self.rank()));
  SymDims sizes = self.sizes;
  if (kind == FftKind::real_to_half && !context.boolean(3)) kind = FftKind::real_to_full;
  TREADLE_TRY(const DType dtype, fft_dtype(context, kind));
  if (!dims.empty() && kind == FftKind::real_to_half)
    sizes[dims.back()] = floor_div(sizes[dims.back()], 2) + 1;
  if (!dims.empty() && kind == FftKind::half_to_real) {
    sizes[dims.back()] = context.integer(3);
    TREADLE_CHECK(check_fft_size(context, sizes[dims.back()]));
  }
  add_transformed(context, dtype, self, dims, std::move(sizes), kind);
  return {};
}

/// Same sizes in new memory.
inline Status fft_shift_rule(InferContext& context) {
  const TensorType& self = context.tensor(0);
  TREADLE_CHECK(wrap_dimensions(context, context.integers(1), self.rank()));
  context.add(make_type(self.dtype, self.sizes, self.device));
  return {};
}

/// `fft_fftfreq(n, d, dtype, …)`; `Half` of the frequencies for real transforms.
template <bool Half>
Status fft_frequencies_rule(InferContext& context) {
  const SymInt n = context.integer(0);
  TREADLE_CHECK(check_fft_size(context, n));
  context.add(make_type(context.dtype(2).value_or(default_float), {Half ? floor_div(n, 2) + 1 : n},
                        context.device(4).value_or(Device())));
  return {};
}

}  // namespace treadle::inline v0::rules
