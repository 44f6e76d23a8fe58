// Text in aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// How the cells of a column stand in it.
enum class Align : bool { left, right };

/// A table with a heading:
///
///     Table table({{"operator"}, {"count", Align::right}});
///     table.add({"aten::relu", "12"});
///     std::string text = table.text();
///
/// Widths count code points, so that `µs` takes two columns.
class Table {
 public:
  struct Column {
    std::string heading;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row; missing cells are empty, surplus ones are dropped.
  void add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
  }
  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

  /// One line for the heading and each row, columns two blanks apart, no blanks at the ends of
  /// lines. `indent` blanks stand before each line.
  [[nodiscard]] std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/text/table-inl.hpp>
#endif
