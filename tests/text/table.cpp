// Tests of tables and units.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/text/table.hpp>
#include <treadle/text/units.hpp>

using treadle::Align;
using treadle::Table;

TEST_CASE("columns are as wide as their widest cell") {
  Table table({{"name"}, {"count", Align::right}});
  table.add({"a", "1"});
  table.add({"longer", "100000"});
  CHECK(table.text() ==
        "name     count\n"
        "a            1\n"
        "longer  100000\n");
}

TEST_CASE("widths count code points, not bytes") {
  Table table({{"time", Align::right}, {"x"}});
  table.add({"1.00 µs", "é"});
  table.add({"1.00 ms", "e"});
  CHECK(table.text(1) ==
        "    time  x\n"
        " 1.00 µs  é\n"
        " 1.00 ms  e\n");
}

TEST_CASE("missing cells are empty and lines have no blanks at their ends") {
  Table table({{"a"}, {"b"}});
  table.add({"long one"});
  table.add({"1", "2", "3"});
  CHECK(table.text() ==
        "a         b\n"
        "long one\n"
        "1         2\n");
  CHECK(table.size() == 2);
}

TEST_CASE("bytes are shown in binary units") {
  const std::vector<std::pair<std::uint64_t, std::string>> cases = {
      {0, "0 B"},           {1023, "1023 B"},           {1024, "1.0 KiB"},        {1536, "1.5 KiB"},
      {1 << 20, "1.0 MiB"}, {(1 << 20) - 1, "1.0 MiB"}, {UINT64_MAX, "16.0 EiB"},
  };
  for (const auto& [bytes, text] : cases) CHECK(treadle::bytes_text(bytes) == text);
}

TEST_CASE("times are shown with three digits") {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.04, "0.04 µs"},  {9.996, "10.0 µs"}, {12.34, "12.3 µs"},  {123.4, "123 µs"},
      {999.6, "1.00 ms"}, {4560, "4.56 ms"},  {1.234e6, "1.23 s"},
  };
  for (const auto& [time, text] : cases) CHECK(treadle::time_text(time) == text);
}
