// Kernels ask for no memory in a run: all of it is planned.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include "cpu/op_cases_runner.hpp"
#include "support/count_allocations.hpp"

#if !defined(TREADLE_TEST_TSAN) && !defined(TREADLE_TEST_ASAN)

namespace {

/// Steps that are known only in a run allocate their results.
template <class Session>
bool is_planned(const Session& session) {
  for (const auto& step : session.plan().steps)
    if (step.kind != std::remove_cvref_t<decltype(step)>::Kind::kernel) return false;
  return true;
}

/// A mask that chooses places for several values: how many is known only in a run.
bool puts_by_mask(const std::string& target, const std::string& arguments) {
  return target.find("index_put") != std::string::npos &&
         (arguments.find("\"bool\"") != std::string::npos ||
          arguments.find("\"uint8\"") != std::string::npos);
}

/// The operators that ask for memory in a steady run, and in `ran` how many calls were looked at.
std::set<std::string> allocating(const std::string& directory, std::size_t& ran) {
  std::set<std::string> found;
  test::OpCases cases(TREADLE_GOLDEN_DIR + directory);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (puts_by_mask(cases.target(i), cases.text(i))) continue;
    cases.with_session(i, [&](auto& session) {
      if (!is_planned(session) || !session.run() || !session.run()) return;
      ++ran;
      const std::int64_t before = test::allocations;
      const bool good = session.run().has_value();
      if (!good || test::allocations != before) found.insert(cases.target(i));
    });
  }
  return found;
}

}  // namespace

TEST_CASE("no kernel asks for memory in a steady run") {
  for (const char* directory : {"/ops", "/ops_numeric", "/ops_special"}) {
    CAPTURE(directory);
    std::size_t ran = 0;
    for (const auto& target : allocating(directory, ran)) FAIL_CHECK(target);
    CHECK(ran > 50);
  }
}

#endif
