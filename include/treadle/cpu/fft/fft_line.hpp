// The discrete Fourier transform of one line of complex numbers.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace treadle::inline v0::cpu {

/// A transform of one length, in double precision: mixed radix after Stockham, and after Bluestein
/// (1970) where the length has a large prime factor. Immutable.
class FftLine {
 public:
  using Complex = std::complex<double>;

  FftLine() = default;
  explicit FftLine(std::int64_t n) : n_(n) {
    std::int64_t rest = n;
    for (const std::int64_t p : {4, 2, 3, 5, 7, 11, 13})
      for (; rest % p == 0 && rest > 1; rest /= p) factors_.push_back(p);
    if (rest > 1) {
      plan_chirp();
      return;
    }
    roots_ = roots(n, n);
  }

  /// Bytes of tables for each element of a line, at most: with a large prime factor.
  static constexpr std::size_t table_bytes = sizeof(Complex) * 9;

  [[nodiscard]] std::int64_t length() const noexcept { return n_; }
  /// Complex numbers of workspace that `forward` needs.
  [[nodiscard]] std::int64_t workspace() const noexcept { return inner_ ? 2 * inner_->n_ : n_; }

  /// Transforms `line` in place, without scaling.
  void forward(Complex* line, Complex* work) const {
    if (inner_) return chirp(line, work);
    Complex *from = line, *to = work;
    std::int64_t length = n_, step = 1;
    for (const std::int64_t p : factors_) {
      stage(p, length, step, from, to);
      length /= p;
      step *= p;
      std::swap(from, to);
    }
    if (from != line)
      for (std::int64_t i = 0; i < n_; ++i) line[i] = from[i];
  }

 private:
  static Complex times(Complex a, Complex b) noexcept {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  /// exp(-2πi k / n) for k < count.
  static std::vector<Complex> roots(std::int64_t n, std::int64_t count) {
    std::vector<Complex> out(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k) out[static_cast<std::size_t>(k)] = root(k, n);
    return out;
  }
  static Complex root(std::int64_t k, std::int64_t n) {
    constexpr double tau = 6.283185307179586476925286766559;
    const double angle = -tau * static_cast<double>(k) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
  }

  void stage(std::int64_t p, std::int64_t length, std::int64_t step, const Complex* from,
             Complex* to) const {
    const std::int64_t part = length / p;
    for (std::int64_t k = 0; k < part; ++k) {
      Complex twist[13];
      for (std::int64_t j = 1; j < p; ++j)
        twist[j] = roots_[static_cast<std::size_t>(j * k * step)];
      for (std::int64_t q = 0; q < step; ++q) {
        const Complex* x = from + q + step * k;
        Complex* y = to + q + step * p * k;
        const std::int64_t gap = step * part;
        if (p == 2)
          butterfly2(x, gap, y, step, twist);
        else if (p == 4)
          butterfly4(x, gap, y, step, twist);
        else
          butterfly(p, x, gap, y, step, twist);
      }
    }
  }
  static void butterfly2(const Complex* x, std::int64_t gap, Complex* y, std::int64_t step,
                         const Complex* twist) noexcept {
    const Complex a = x[0], b = x[gap];
    y[0] = a + b;
    y[step] = times(a - b, twist[1]);
  }
  static void butterfly4(const Complex* x, std::int64_t gap, Complex* y, std::int64_t step,
                         const Complex* twist) noexcept {
    const Complex s02 = x[0] + x[2 * gap], d02 = x[0] - x[2 * gap];
    const Complex s13 = x[gap] + x[3 * gap], d13 = x[gap] - x[3 * gap];
    const Complex turned(d13.imag(), -d13.real());  // -i · d13
    y[0] = s02 + s13;
    y[step] = times(d02 + turned, twist[1]);
    y[2 * step] = times(s02 - s13, twist[2]);
    y[3 * step] = times(d02 - turned, twist[3]);
  }
  void butterfly(std::int64_t p, const Complex* x, std::int64_t gap, Complex* y, std::int64_t step,
                 const Complex* twist) const noexcept {
    const std::int64_t unit = n_ / p;
    for (std::int64_t j = 0; j < p; ++j) {
      Complex sum = x[0];
      for (std::int64_t r = 1; r < p; ++r)
        sum += times(x[r * gap], roots_[static_cast<std::size_t>(j * r % p * unit)]);
      y[j * step] = j == 0 ? sum : times(sum, twist[j]);
    }
  }

  /// A transform of any length as a convolution of a power-of-two length.
  void plan_chirp() {
    std::int64_t length = 1;
    while (length < 2 * n_ - 1) length *= 2;
    inner_ = std::make_shared<const FftLine>(length);
    chirp_.resize(static_cast<std::size_t>(n_));
    kernel_.assign(static_cast<std::size_t>(length), Complex());
    for (std::int64_t k = 0; k < n_; ++k) {
      // k² mod 2n, without overflow for any length that fits in memory.
      const Complex w = root(k * k % (2 * n_), 2 * n_);
      chirp_[static_cast<std::size_t>(k)] = w;
      kernel_[static_cast<std::size_t>(k)] = std::conj(w);
      if (k > 0) kernel_[static_cast<std::size_t>(length - k)] = std::conj(w);
    }
    std::vector<Complex> work(static_cast<std::size_t>(length));
    inner_->forward(kernel_.data(), work.data());
  }

  void chirp(Complex* line, Complex* work) const {
    const std::int64_t length = inner_->n_;
    for (std::int64_t k = 0; k < length; ++k)
      work[k] = k < n_ ? times(line[k], chirp_[static_cast<std::size_t>(k)]) : Complex();
    inner_->forward(work, work + length);
    for (std::int64_t k = 0; k < length; ++k)
      work[k] = std::conj(times(work[k], kernel_[static_cast<std::size_t>(k)]));
    inner_->forward(work, work + length);
    const double scale = 1.0 / static_cast<double>(length);
    for (std::int64_t k = 0; k < n_; ++k)
      line[k] = times(std::conj(work[k]) * scale, chirp_[static_cast<std::size_t>(k)]);
  }

  std::int64_t n_ = 1;
  std::vector<std::int64_t> factors_;
  std::vector<Complex> roots_, chirp_, kernel_;
  std::shared_ptr<const FftLine> inner_;
};

}  // namespace treadle::inline v0::cpu
