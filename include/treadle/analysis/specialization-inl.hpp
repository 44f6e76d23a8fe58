// Definitions of specialization.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include <treadle/analysis/specialization.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE void Specialization::place_inputs(const std::vector<ValueId>& inputs,
                                                 const std::vector<InputFacts>& known) {
  std::map<std::size_t, ValueId> sharers;
  for (std::size_t i = 0; i < inputs.size() && i < known.size(); ++i) {
    const ValueId id = inputs[i];
    if (!id.valid()) continue;
    ValueFacts& facts = values[id.index];
    facts.meta = known[i].meta;
    facts.number = known[i].number;
    facts.is_weight = known[i].is_weight;
    if (known[i].meta)
      facts.storage_bytes =
          std::max(known[i].storage_bytes, storage_bytes(*known[i].meta).value_or(0));
    if (known[i].storage) unite(sharers.emplace(*known[i].storage, id).first->second, id);
  }
}

TREADLE_INLINE bool suit_one_plan(const std::vector<InputFacts>& a,
                                  const std::vector<InputFacts>& b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InputFacts& x, const InputFacts& y) {
                      return x.meta == y.meta && x.number == y.number;
                    });
}

}  // namespace treadle::inline v0
