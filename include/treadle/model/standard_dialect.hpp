// All operators that treadle defines, and all wrappers that exporters write.
#pragma once

#include <treadle/model/dialect.hpp>
#include <treadle/model/dissolve_wrappers.hpp>
#include <treadle/ops/standard.hpp>

namespace treadle::inline v0 {

struct StandardDialect {
  static OpSet ops() { return standard_ops(); }
  static Status dissolve_wrappers(GraphModule& module, const OpSet& ops) {
    return treadle::dissolve_wrappers(module, ops);
  }
};

}  // namespace treadle::inline v0
