// Definitions of specialization.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include <treadle/analysis/specialization.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE bool suit_one_plan(const std::vector<InputFacts>& a,
                                  const std::vector<InputFacts>& b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InputFacts& x, const InputFacts& y) {
                      return x.meta == y.meta && x.number == y.number;
                    });
}

}  // namespace treadle::inline v0
