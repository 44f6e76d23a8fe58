// Definition of the standard operator set.
#pragma once

#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/index.hpp>
#include <treadle/ops/movement.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/ops/view.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE OpSet standard_ops() {
  OpSet ops;
  for (const auto family : {arithmetic_ops(), compare_ops(), math_ops(), activation_ops(),
                            select_ops(), copy_ops(), view_ops(), view_copy_ops()})
    ops.add(family);
  return ops;
}

}  // namespace treadle::inline v0
