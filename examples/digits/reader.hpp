// The two files of the example: the held-out scans, and the network that reads them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <treadle/archive/npz.hpp>
#include <treadle/treadle.hpp>

#include "drawing.hpp"

namespace digits {

using Scores = std::array<float, classes>;

/// The scans that the network has not seen, with their labels and with PyTorch's scores.
class HeldOut {
 public:
  static treadle::Result<HeldOut> load(const std::string& path) {
    TREADLE_TRY(const auto arrays, treadle::read_npz(path));
    HeldOut out;
    for (const auto& [name, array] : arrays) {
      if (name == "images") {
        for (auto pixel : elements<std::uint8_t>(array))
          out.pixels_.push_back(static_cast<float>(pixel) / 16.0f);
      } else if (name == "labels") {
        const auto labels = elements<std::uint8_t>(array);
        out.labels_.assign(labels.begin(), labels.end());
      } else if (name == "scores") {
        const auto scores = elements<float>(array);
        out.expected_.assign(scores.begin(), scores.end());
      }
    }
    const auto count = out.labels_.size();
    if (count == 0 || out.pixels_.size() != count * side * side ||
        out.expected_.size() != count * classes)
      return treadle::Error(treadle::ErrorCode::invalid_argument,
                            path + ": the arrays images, labels and scores do not fit together");
    return out;
  }

  [[nodiscard]] std::size_t size() const noexcept { return labels_.size(); }
  [[nodiscard]] std::size_t label(std::size_t i) const { return labels_[i]; }
  [[nodiscard]] std::span<const float> image(std::size_t i) const {
    return std::span(pixels_).subspan(i * side * side, side * side);
  }
  [[nodiscard]] std::span<const float> expected(std::size_t i) const {
    return std::span(expected_).subspan(i * classes, classes);
  }

 private:
  /// The array's elements, none if it holds another type.
  template <class T>
  static std::span<const T> elements(const treadle::NpyArray& array) {
    if (array.dtype != treadle::dtype_of<T>()) return {};
    return {reinterpret_cast<const T*>(array.data.data()), array.data.size() / sizeof(T)};
  }

  std::vector<float> pixels_;
  std::vector<std::uint8_t> labels_;
  std::vector<float> expected_;
};

/// The network: an image in, ten scores out.
class Reader {
 public:
  static treadle::Result<Reader> load(const std::string& path) {
    TREADLE_TRY(auto model, treadle::Model<>::load(path));
    return Reader(std::move(model));
  }

  treadle::Result<Scores> scores(std::span<const float> pixels) {
    TREADLE_TRY(auto image, treadle::cpu::Tensor::from(pixels, {1, 1, side, side}));
    TREADLE_TRY(const auto outputs, model_.run({image}));
    TREADLE_TRY(const auto output, outputs.at(0).tensor());
    Scores scores;
    const auto found = output.template elements<const float>();
    std::copy_n(found.begin(), classes, scores.begin());
    return scores;
  }

 private:
  explicit Reader(treadle::Model<> model) : model_(std::move(model)) {}
  treadle::Model<> model_;
};

}  // namespace digits
