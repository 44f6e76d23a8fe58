// Reads handwritten digits with a network that PyTorch trained and exported.
//
//   digits.pt2 ──▶ treadle::Model ─┐
//                                  ├──▶ scores ──▶ the digit
//   digits.npz ──▶ 360 scans ──────┘
//
//   digits [folder with digits.pt2 and digits.npz]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "reader.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// What the network made of the held-out scans.
struct Outcome {
  std::vector<digits::Scores> scores;
  std::vector<std::size_t> misread;  ///< indices of scans
  std::vector<double> microseconds;
  double largest_difference = 0;  ///< to PyTorch's scores
};

std::size_t best(const digits::Scores& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

treadle::Result<Outcome> read_all(digits::Reader& reader, const digits::HeldOut& held_out) {
  Outcome outcome;
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    const auto start = Clock::now();
    TREADLE_TRY(const auto scores, reader.scores(held_out.image(i)));
    const std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
    outcome.microseconds.push_back(elapsed.count());
    outcome.scores.push_back(scores);
    if (best(scores) != held_out.label(i)) outcome.misread.push_back(i);
    for (std::size_t k = 0; k < digits::classes; ++k)
      outcome.largest_difference =
          std::max(outcome.largest_difference,
                   std::abs(double{scores[k]} - double{held_out.expected(i)[k]}));
  }
  return outcome;
}

/// The first four scans and up to two that were misread.
std::string drawn(const digits::HeldOut& held_out, const Outcome& outcome) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < 4 && i < held_out.size(); ++i) chosen.push_back(i);
  for (std::size_t i = 0; i < 2 && i < outcome.misread.size(); ++i)
    chosen.push_back(outcome.misread[i]);
  std::vector<std::vector<digits::Line>> cards;
  for (std::size_t i : chosen)
    cards.push_back(digits::card(held_out.image(i), outcome.scores[i], held_out.label(i)));
  return digits::sheet(cards);
}

int fail(const treadle::Error& error) {
  std::cerr << "digits: " << error.message() << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : TREADLE_EXAMPLES_DIR "/digits";
  auto held_out = digits::HeldOut::load(folder + "/digits.npz");
  if (!held_out) return fail(held_out.error());
  auto reader = digits::Reader::load(folder + "/digits.pt2");
  if (!reader) return fail(reader.error());
  auto outcome = read_all(*reader, *held_out);
  if (!outcome) return fail(outcome.error());

  auto& times = outcome->microseconds;
  std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
  const std::size_t right = held_out->size() - outcome->misread.size();
  const double accuracy =
      100.0 * static_cast<double>(right) / static_cast<double>(held_out->size());
  std::cout << '\n' << drawn(*held_out, *outcome);
  std::printf("%zu of %zu held-out digits are read right: %.2f %%\n", right, held_out->size(),
              accuracy);
  std::printf("%.1f microseconds an image (median, one thread); scores within %.1e of PyTorch's\n",
              times[times.size() / 2], outcome->largest_difference);
  return accuracy >= 97.0 && outcome->largest_difference < 1e-3 ? 0 : 1;
}
