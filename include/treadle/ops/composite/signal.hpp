// Definitions of short-time Fourier transforms and more windows.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/ops/decomposition.hpp>
#include <treadle/ops/decomposition_shapes.hpp>

namespace treadle::inline v0::detail::composite {

// --- short-time Fourier transforms ---------------------------------------------------------------

/// Lengths of frames, and how they are weighted and scaled.
struct FrameArguments {
  std::int64_t size = 0, hop = 0;
  Operand window, norm;  ///< the window is as long as a frame, or none
};

/// `n_fft, hop_length, win_length, window` from argument 1 on; `normalized` at `normalized_at`.
inline FrameArguments frame_arguments(Decomposition& d, std::size_t normalized_at) {
  FrameArguments frames;
  frames.size = d.integer_at(1, 0);
  frames.hop = d.integer_at(2, frames.size / 4);
  const std::int64_t length = d.integer_at(3, frames.size);
  if (frames.size < 1 || frames.hop < 1 || length < 1 || length > frames.size)
    (void)d.fail("frames of ", frames.size, ", a hop of ", frames.hop, " and a window of ", length,
                 " do not fit");
  frames.window = d[4];
  if (length < frames.size) {
    if (d.is_none(4)) frames.window = d.call("aten::ones", {d.integers({length})});
    const std::int64_t before = (frames.size - length) / 2;
    frames.window = d.call("aten::constant_pad_nd",
                           {frames.window, d.integers({before, frames.size - length - before})});
  }
  const bool scaled = d.boolean_at(normalized_at);
  frames.norm = d.string(scaled ? "ortho" : "backward");
  return frames;
}

/// Frames of a signal with or without a batch, transformed: (batch, frequencies, frames).
inline Status transform_frames(Decomposition& d, const FrameArguments& frames, Operand signal,
                               bool one_sided, bool as_complex) {
  const bool alone = d.rank(d[0]) == 1;
  auto out = d.call("aten::unfold",
                    {signal, d.integer(-1), d.integer(frames.size), d.integer(frames.hop)});
  if (!frames.window.is_none()) out = d.call("aten::mul.Tensor", {out, frames.window});
  const bool complex = is_complex(d.dtype(out));
  if (one_sided && complex) return d.fail("one side is all there is of real signals alone");
  out = d.call(one_sided ? "aten::fft_rfft" : "aten::fft_fft",
               {out, d.none(), d.integer(-1), frames.norm});
  out = d.call("aten::transpose.int", {out, d.integer(-2), d.integer(-1)});
  if (alone) out = d.call("aten::squeeze.dim", {out, d.integer(0)});
  return d.give(as_complex ? out : d.call("aten::view_as_real", {out}));
}

/// `stft(self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, …)`;
/// `at` is the place of `normalized`.
inline Status stft_from(Decomposition& d, Operand signal, std::size_t at) {
  const bool complex = is_complex(d.dtype(d[0])) || (d.type(d[4]) && is_complex(d.dtype(d[4])));
  const bool one_sided = d.is_none(at + 1) ? !complex : d.boolean_at(at + 1);
  const bool as_complex = d.is_none(at + 2) || d.boolean_at(at + 2);
  return transform_frames(d, frame_arguments(d, at), signal, one_sided, as_complex);
}
inline Operand with_batch(Decomposition& d, std::size_t rank) {
  return d.rank(d[0]) < rank ? d.call("aten::unsqueeze", {d[0], d.integer(0)}) : d[0];
}
inline Status stft(Decomposition& d) { return stft_from(d, with_batch(d, 2), 5); }
inline Status stft_center(Decomposition& d) {
  auto signal = with_batch(d, 2);
  if (d.boolean_at(5)) {
    const std::int64_t half = d.integer_at(1, 0) / 2;
    signal = d.call("aten::pad", {signal, d.integers({half, half}), d[6]});
  }
  return stft_from(d, signal, 7);
}

/// Frames (batch, size, count) added up where they overlap: (batch, length).
inline Operand add_overlaps(Decomposition& d, Operand frames, std::int64_t length,
                            const FrameArguments& call) {
  const auto sum =
      d.call("aten::col2im", {frames, d.integers({1, length}), d.integers({1, call.size}),
                              d.integers({1, 1}), d.integers({0, 0}), d.integers({1, call.hop})});
  return d.call("aten::flatten.using_ints", {sum, d.integer(1)});
}

/// `istft(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
/// return_complex)`: frames added up, divided by the sum of squared windows.
inline Status istft(Decomposition& d) {
  const auto call = frame_arguments(d, 6);
  const auto spectrum = with_batch(d, 3);
  const auto count = d.size(spectrum, 2);
  const auto* known = count.integer();
  if (!known) return d.fail("the number of frames is not known");
  if (d.boolean_at(9)) return d.fail("expected return_complex=False");
  const auto turned = d.call("aten::transpose.int", {spectrum, d.integer(1), d.integer(2)});
  const bool full = !d.is_none(7) && !d.boolean_at(7);
  auto frames =
      full ? d.call("aten::real",
                    {d.call("aten::fft_ifft", {turned, d.none(), d.integer(-1), call.norm})})
           : d.call("aten::fft_irfft", {turned, d.integer(call.size), d.integer(-1), call.norm});
  auto window = call.window;
  if (window.is_none()) window = d.call("aten::ones", {d.integers({call.size})}, d.dtype(frames));
  frames = d.call("aten::mul.Tensor", {frames, window});
  frames = d.call("aten::transpose.int", {frames, d.integer(1), d.integer(2)});
  const std::int64_t length = call.size + call.hop * (*known - 1);
  auto squares = d.call("aten::mul.Tensor", {window, window});
  squares = d.call("aten::expand", {d.call("aten::reshape", {squares, d.integers({1, -1, 1})}),
                                    d.integers({1, call.size, *known})});
  const std::int64_t start = d.boolean_at(5) ? call.size / 2 : 0;
  const std::int64_t wanted =
      d.is_none(8) ? length - (d.boolean_at(5) ? call.size / 2 : 0) : start + d.integer_at(8, 0);
  const auto cut = [&](Operand sum) {
    return d.call("aten::slice.Tensor", {sum, d.integer(-1), d.integer(start), d.integer(wanted)});
  };
  auto out = d.call("aten::div.Tensor",
                    {cut(add_overlaps(d, frames, length, call)),
                     cut(add_overlaps(d, d.call("aten::contiguous", {squares}), length, call))});
  if (d.rank(d[0]) == 2) out = d.call("aten::squeeze.dim", {out, d.integer(0)});
  if (wanted > length)
    out = d.call("aten::constant_pad_nd", {out, d.integers({0, wanted - length})});
  return d.give(out);
}

// --- windows -------------------------------------------------------------------------------------

inline Status hamming_window_alpha(Decomposition& d) {
  const double alpha = d.real_at(2, 0.54);
  return cosine_window(d, window_arguments(d, 3), {{alpha, -0.46}});
}
inline Status hamming_window_alpha_beta(Decomposition& d) {
  return cosine_window(d, window_arguments(d, 4), {{d.real_at(2, 0.54), -d.real_at(3, 0.46)}});
}

/// Places 0, 1, … of a window in double precision, and its last place.
struct WindowPlaces {
  Operand places;
  double last = 0;
  DType dtype = DType::float32;
  bool trivial = false;
};
inline WindowPlaces window_places(Decomposition& d, const WindowArguments& window) {
  WindowPlaces out;
  const auto* length = window.length.integer();
  if (!length || *length < 0) {
    (void)d.fail("expected a constant length of at least 0");
    out.trivial = true;
    return out;
  }
  if (const auto* wanted = window.dtype.get<DType>()) out.dtype = *wanted;
  out.last = static_cast<double>(window.periodic ? *length : *length - 1);
  out.trivial = *length <= 1;
  const auto dtype = d.dtype_constant(out.trivial ? out.dtype : DType::float64);
  out.places =
      d.call(out.trivial ? "aten::ones" : "aten::arange",
             {out.trivial ? d.integers({*length}) : d.integer(*length)}, {{"dtype", dtype}});
  return out;
}

/// A triangle: 1 - |2 n / N - 1|.
inline Status bartlett(Decomposition& d, const WindowArguments& window) {
  const auto at = window_places(d, window);
  if (at.trivial) return d.give(at.places);
  auto out = d.call("aten::mul.Tensor", {at.places, d.real(2 / at.last)});
  out = d.call("aten::abs", {d.call("aten::sub.Tensor", {out, d.integer(1)})});
  out = d.call("aten::rsub.Scalar", {out, d.integer(1)});
  return d.give(d.as_dtype(out, at.dtype));
}
inline Status bartlett_window(Decomposition& d) { return bartlett(d, window_arguments(d, 1)); }
inline Status bartlett_window_periodic(Decomposition& d) {
  return bartlett(d, window_arguments(d, 2));
}

/// I0(beta sqrt(1 - (2 n / N - 1)²)) / I0(beta).
inline Status kaiser(Decomposition& d, const WindowArguments& window, double beta) {
  const auto at = window_places(d, window);
  if (at.trivial) return d.give(at.places);
  auto out = d.call("aten::mul.Tensor", {at.places, d.real(2 / at.last)});
  out = d.call("aten::sub.Tensor", {out, d.integer(1)});
  out = d.call("aten::rsub.Scalar", {d.call("aten::mul.Tensor", {out, out}), d.integer(1)});
  out = d.call("aten::sqrt", {d.call("aten::clamp", {out, d.integer(0)})});
  out = d.call("aten::i0", {d.call("aten::mul.Tensor", {out, d.real(beta)})});
  const auto norm =
      d.call("aten::i0", {d.call("aten::full", {d.integers({}), d.real(beta)}, DType::float64)});
  out = d.call("aten::div.Tensor", {out, norm});
  return d.give(d.as_dtype(out, at.dtype));
}
inline Status kaiser_window(Decomposition& d) { return kaiser(d, window_arguments(d, 1), 12); }
inline Status kaiser_window_periodic(Decomposition& d) {
  return kaiser(d, window_arguments(d, 2), 12);
}
inline Status kaiser_window_beta(Decomposition& d) {
  return kaiser(d, window_arguments(d, 3), d.real_at(2, 12));
}

}  // namespace treadle::inline v0::detail::composite
