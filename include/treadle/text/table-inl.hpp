// Definitions of the aligned table.
#pragma once

#include <algorithm>
#include <string_view>

#include <treadle/text/table.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Code points of UTF-8 text: bytes that do not continue one.
inline std::size_t text_width(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

}  // namespace detail

TREADLE_INLINE std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = detail::text_width(columns_[i].heading);
    for (const auto& row : rows_) width = std::max(width, detail::text_width(row[i]));
    widths.push_back(width);
  }
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string gap(widths[i] - detail::text_width(cell), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::right ? gap + cell : cell + gap;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].heading; });
  for (const auto& row : rows_)
    add_line([&](std::size_t i) -> const std::string& { return row[i]; });
  return out;
}

}  // namespace treadle::inline v0
