// Draws grey images and scores in a terminal with Unicode blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace digits {

inline constexpr std::size_t side = 8;
inline constexpr std::size_t classes = 10;

/// A line of text with its width on the screen, which differs from its bytes.
struct Line {
  std::string text;
  std::size_t columns = 0;

  void add(std::string_view glyph, std::size_t width) {
    text += glyph;
    columns += width;
  }
  void pad_to(std::size_t width) {
    while (columns < width) add(" ", 1);
  }
};

/// The scores as shares that sum up to one (softmax).
inline std::array<double, classes> shares(std::span<const float, classes> scores) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  std::array<double, classes> out;
  double sum = 0;
  for (std::size_t i = 0; i < classes; ++i) sum += out[i] = std::exp(double{scores[i]} - highest);
  for (double& share : out) share /= sum;
  return out;
}

/// Adds one row of an 8 x 8 image whose pixels lie in 0..1, two columns a pixel.
inline void add_pixels(Line& line, std::span<const float> row) {
  static constexpr std::array<std::string_view, 5> shades{"  ", "░░", "▒▒", "▓▓", "██"};
  for (float pixel : row) {
    const auto level = static_cast<std::size_t>(std::clamp(pixel, 0.0f, 1.0f) * 4.0f + 0.5f);
    line.add(shades[level], 2);
  }
}

/// Adds a bar for a share between 0 and 1: `3 ████████·· 81 %`.
inline void add_bar(Line& line, std::size_t digit, double share) {
  static constexpr std::size_t width = 10;
  line.add(std::to_string(digit) + " ", 2);
  const auto filled = static_cast<std::size_t>(share * width + 0.5);
  for (std::size_t i = 0; i < width; ++i) line.add(i < filled ? "█" : "·", 1);
  const auto percent = std::to_string(std::lround(share * 100));
  line.add(std::string(4 - percent.size(), ' ') + percent + " %", 6);
}

/// An image with the answer beside it: eight lines.
inline std::vector<Line> card(std::span<const float> pixels, std::span<const float, classes> scores,
                              std::size_t label) {
  const auto share = shares(scores);
  std::array<std::size_t, classes> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return share[a] > share[b]; });
  std::vector<Line> lines(side);
  for (std::size_t row = 0; row < side; ++row) {
    add_pixels(lines[row], pixels.subspan(row * side, side));
    lines[row].add("  ", 2);
  }
  const std::string answer = "reads " + std::to_string(order[0]);
  const std::string truth = order[0] == label ? "  ✓" : "  ✗ it is " + std::to_string(label);
  lines[1].add(answer, answer.size());
  lines[1].add(truth, order[0] == label ? 3 : truth.size() - 2);
  for (std::size_t i = 0; i < 3; ++i) add_bar(lines[3 + i], order[i], share[order[i]]);
  return lines;
}

/// Cards side by side, two in a row.
inline std::string sheet(std::span<const std::vector<Line>> cards) {
  std::string text;
  for (std::size_t first = 0; first < cards.size(); first += 2) {
    for (std::size_t row = 0; row < side; ++row) {
      Line line = cards[first][row];
      line.pad_to(40);
      if (first + 1 < cards.size()) line.text += cards[first + 1][row].text;
      text += line.text + '\n';
    }
    text += '\n';
  }
  return text;
}

}  // namespace digits
