// Runs a directory of recorded operator calls: counts by operator, and every difference.
//   op_cases DIRECTORY [PASSED]    PASSED: a file that gets the numbers of the cases that passed
#include <cstdio>
#include <fstream>
#include <map>

#include "cpu/op_cases_runner.hpp"

namespace {

struct Count {
  std::size_t passed = 0, failed = 0, missing = 0, unsupported = 0, lenient = 0;
};

Count sum_up(const std::map<std::string, Count>& counts) {
  Count all;
  std::size_t missing_operators = 0;
  for (const auto& [name, c] : counts) {
    all.passed += c.passed;
    all.failed += c.failed;
    all.missing += c.missing;
    all.unsupported += c.unsupported;
    all.lenient += c.lenient;
    missing_operators += c.missing > 0;
    std::printf("%-55s passed %4zu failed %4zu missing %4zu unsupported %4zu lenient %4zu\n",
                name.c_str(), c.passed, c.failed, c.missing, c.unsupported, c.lenient);
  }
  std::printf(
      "all: passed %zu failed %zu missing %zu (%zu operators) unsupported %zu lenient %zu\n",
      all.passed, all.failed, all.missing, missing_operators, all.unsupported, all.lenient);
  return all;
}

}  // namespace

int main(int count, char** words) {
  using Kind = test::CaseResult::Kind;
  if (count < 2) {
    std::puts("op_cases DIRECTORY [PASSED]");
    return 2;
  }
  test::OpCases cases(words[1]);
  std::ofstream passed;
  if (count > 2) passed.open(words[2]);
  std::map<std::string, Count> counts;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto& entry = counts[cases.target(i)];
    const auto result = cases.run(i);
    switch (result.kind) {
      case Kind::passed:
        ++entry.passed;
        passed << i << '\n';
        continue;
      case Kind::unsupported: ++entry.unsupported; continue;
      case Kind::lenient: ++entry.lenient; continue;
      case Kind::unknown_operator: ++entry.missing; continue;
      case Kind::missing_kernel:
        if (entry.missing++ == 0) std::printf("NO KERNEL %s\n", cases.target(i).c_str());
        continue;
      case Kind::failed: ++entry.failed;
    }
    std::printf("DIFF %zu %s\n  %s\n  %s\n", i, cases.target(i).c_str(), result.message.c_str(),
                cases.text(i).c_str());
  }
  const auto all = sum_up(counts);
  return cases.size() > 0 && all.failed == 0 ? 0 : 1;
}
