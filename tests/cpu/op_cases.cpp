// Operators against calls recorded from PyTorch.
#include <string>

#include <doctest/doctest.h>

#include "cpu/op_cases_runner.hpp"

namespace {

void check_all(const std::string& directory, std::size_t at_least) {
  test::OpCases cases(TREADLE_GOLDEN_DIR + directory);
  REQUIRE(cases.size() > at_least);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto result = cases.run(i);
    if (result.kind == test::CaseResult::Kind::passed) continue;
    CAPTURE(cases.target(i));
    CAPTURE(cases.text(i));
    FAIL_CHECK(result.message);
  }
}

}  // namespace

TEST_CASE("operators give what PyTorch gives: types, strides, aliasing, values") {
  check_all("/ops", 500);
}

TEST_CASE("quantisation, factorizations, statistics and signals give what PyTorch gives") {
  check_all("/ops_numeric", 300);
}

TEST_CASE("special functions, histograms and rare layers give what PyTorch gives") {
  check_all("/ops_special", 100);
}
