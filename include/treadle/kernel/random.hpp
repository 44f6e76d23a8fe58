// The random numbers of a program: part of its state, never global.
#pragma once

#include <cmath>
#include <cstdint>

namespace treadle::inline v0 {

/// A seedable, copyable generator: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom
/// number generators", 2021), seeded by SplitMix64. Its numbers are not PyTorch's.
class RandomState {
 public:
  explicit RandomState(std::uint64_t seed = 0) noexcept { reseed(seed); }

  void reseed(std::uint64_t seed) noexcept {
    for (auto& word : words_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  /// 64 random bits.
  [[nodiscard]] std::uint64_t bits() noexcept {
    const std::uint64_t result = rotate(words_[1] * 5, 7) * 9;
    const std::uint64_t t = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= t;
    words_[3] = rotate(words_[3], 45);
    return result;
  }
  /// Uniform in [0, 1), 53 bits.
  [[nodiscard]] double uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// Standard normal, by the polar form of Box and Muller.
  [[nodiscard]] double normal() noexcept {
    while (true) {
      const double u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
      if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
    }
  }
  /// Uniform in [0, bound), bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t reject = (0 - bound) % bound;
    while (true)
      if (const std::uint64_t b = bits(); b >= reject) return b % bound;
  }

  friend bool operator==(const RandomState&, const RandomState&) noexcept = default;

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) noexcept {
    return (x << k) | (x >> (64 - k));
  }
  std::uint64_t words_[4] = {};
};

}  // namespace treadle::inline v0
