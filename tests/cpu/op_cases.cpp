// Operators against calls recorded from PyTorch.
#include <doctest/doctest.h>

#include "cpu/op_cases_runner.hpp"

TEST_CASE("operators give what PyTorch gives: types, strides, aliasing, values") {
  test::OpCases cases(TREADLE_GOLDEN_DIR "/ops");
  REQUIRE(cases.size() > 500);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto result = cases.run(i);
    if (result.kind == test::CaseResult::Kind::passed) continue;
    CAPTURE(cases.target(i));
    CAPTURE(cases.text(i));
    FAIL_CHECK(result.message);
  }
}
