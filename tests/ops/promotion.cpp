// Checks type promotion against PyTorch for all pairs of operands.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/ops/promotion.hpp>

using namespace treadle;

namespace {

/// In the order of make_promotion_cases.py.
constexpr DType dtypes[] = {DType::bool_,           DType::uint8,           DType::int8,
                            DType::int16,           DType::int32,           DType::int64,
                            DType::uint16,          DType::uint32,          DType::uint64,
                            DType::float16,         DType::bfloat16,        DType::float32,
                            DType::float64,         DType::complex32,       DType::complex64,
                            DType::complex128,      DType::float8_e4m3fn,   DType::float8_e5m2,
                            DType::float8_e4m3fnuz, DType::float8_e5m2fnuz, DType::float8_e8m0fnu};

struct Row {
  char left;
  int index;
  std::string_view tensors, zero_dims, numbers;
};

constexpr Row rows[] = {
#include "promotion_cases.inc"
};

void add(Promotion& promotion, char kind, std::size_t i) {
  if (kind == 'n')
    promotion.add_number(static_cast<DTypeCategory>(i));
  else
    promotion.add_tensor(dtypes[i], kind == 'z');
}

std::string text(char kind, std::size_t i) {
  constexpr std::string_view numbers[] = {"a bool", "an int", "a float", "a complex"};
  if (kind == 'n') return std::string(numbers[i]);
  return std::string(name(dtypes[i])) + (kind == 'z' ? " 0-d" : "");
}

}  // namespace

TEST_CASE("result types are PyTorch's for every pair of operands") {
  int checked = 0;
  for (const Row& row : rows) {
    if (row.left == 'p') continue;
    const auto left = static_cast<std::size_t>(row.index);
    for (const auto& [kind, results] :
         {std::pair('t', row.tensors), std::pair('z', row.zero_dims), std::pair('n', row.numbers)})
      for (std::size_t j = 0; j < results.size(); ++j) {
        if (results[j] == '-') continue;
        CAPTURE(text(row.left, left));
        CAPTURE(text(kind, j));
        Promotion promotion;
        add(promotion, row.left, left);
        add(promotion, kind, j);
        CHECK(name(promotion.result()) == name(dtypes[results[j] - 'a']));
        ++checked;
      }
  }
  CHECK(checked > 1000);
}

TEST_CASE("promote_types is PyTorch's for every pair of dtypes") {
  int checked = 0;
  for (const Row& row : rows) {
    if (row.left != 'p') continue;
    const DType left = dtypes[row.index];
    for (std::size_t j = 0; j < row.tensors.size(); ++j) {
      if (row.tensors[j] == '-') continue;
      CAPTURE(name(left));
      CAPTURE(name(dtypes[j]));
      CHECK(name(promote_types(left, dtypes[j])) == name(dtypes[row.tensors[j] - 'a']));
      ++checked;
    }
  }
  CHECK(checked > 200);
}
