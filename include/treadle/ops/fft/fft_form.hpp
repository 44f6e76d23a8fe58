// What a Fourier transform's name says about it.
#pragma once

#include <cstdint>
#include <string_view>

namespace treadle::inline v0::detail {

/// From and to which kind of numbers a transform goes.
enum class FftKind : std::uint8_t { complex_to_complex, real_to_half, real_to_full, half_to_real };

/// A transform, by the name of its operator without namespace.
struct FftForm {
  FftKind kind = FftKind::complex_to_complex;
  bool forward = true;      ///< sign of the exponent, and which side `norm` scales
  bool conjugates = false;  ///< `hfft` conjugates its input, `ihfft` its output
  bool many = false;        ///< several dimensions: arguments are lists
  bool raw = false;         ///< `_fft_*`: a numbered normalisation, no resizing
};

[[nodiscard]] constexpr FftForm fft_form(std::string_view name) noexcept {
  FftForm form;
  if (name.starts_with("_fft_")) {
    form.raw = form.many = true;
    if (name == "_fft_r2c") form.kind = FftKind::real_to_half;
    if (name == "_fft_c2r") form.kind = FftKind::half_to_real;
    form.forward = form.kind != FftKind::half_to_real;
    return form;
  }
  name.remove_prefix(4);  // "fft_"
  const char last = name.back();
  form.many = last == '2' || last == 'n';
  if (form.many) name.remove_suffix(1);
  form.conjugates = name == "hfft" || name == "ihfft";
  form.forward = name == "fft" || name == "rfft" || name == "hfft";
  if (name == "rfft" || name == "ihfft") form.kind = FftKind::real_to_half;
  if (name == "irfft" || name == "hfft") form.kind = FftKind::half_to_real;
  return form;
}

/// The part of `aten::fft_rfft2` that `fft_form` reads.
[[nodiscard]] constexpr std::string_view fft_name(std::string_view name) noexcept {
  return name.substr(name.find("::") + 2);
}

}  // namespace treadle::inline v0::detail
