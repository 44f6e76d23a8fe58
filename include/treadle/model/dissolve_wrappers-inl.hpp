// Definitions of dissolve_wrappers.hpp.
#pragma once

#include <treadle/model/dissolve_wrappers.hpp>
#include <treadle/pass/inline_batches.hpp>
#include <treadle/pass/inline_functionalized.hpp>
#include <treadle/pass/inline_wrappers.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Status dissolve_wrappers(GraphModule& module, const OpSet& ops) {
  TREADLE_CHECK(inline_wrappers(module.graph));
  TREADLE_CHECK(inline_batches(module.graph));
  TREADLE_CHECK(inline_functionalized(module.graph, ops));
  return {};
}

}  // namespace treadle::inline v0
