// Definition of the standard operator set.
#pragma once

#include <treadle/ops/attention.hpp>
#include <treadle/ops/conv.hpp>
#include <treadle/ops/counting.hpp>
#include <treadle/ops/creation.hpp>
#include <treadle/ops/decompositions.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/fft.hpp>
#include <treadle/ops/index.hpp>
#include <treadle/ops/linalg.hpp>
#include <treadle/ops/linear.hpp>
#include <treadle/ops/movement.hpp>
#include <treadle/ops/norm.hpp>
#include <treadle/ops/pad.hpp>
#include <treadle/ops/pool.hpp>
#include <treadle/ops/quantized.hpp>
#include <treadle/ops/recurrent.hpp>
#include <treadle/ops/reduction.hpp>
#include <treadle/ops/sort.hpp>
#include <treadle/ops/standard.hpp>
#include <treadle/ops/upsample.hpp>
#include <treadle/ops/view.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE OpSet standard_ops() {
  OpSet ops;
  // First, so that a family's own definition wins.
  ops.add(composite_ops());
  ops.add(further_composite_ops());
  ops.add(rare_composite_ops());
  for (const auto family :
       {arithmetic_ops(), compare_ops(),  math_ops(),           activation_ops(),  select_ops(),
        copy_ops(),       creation_ops(), random_ops(),         assertion_ops(),   view_ops(),
        view_copy_ops(),  index_ops(),    movement_ops(),       pad_ops(),         reduction_ops(),
        softmax_ops(),    scan_ops(),     sort_ops(),           search_ops(),      unique_ops(),
        norm_ops(),       pool_ops(),     product_ops(),        contraction_ops(), loss_ops(),
        class_loss_ops(), distance_ops(), conv_ops(),           attention_ops(),   recurrent_ops(),
        fft_ops(),        upsample_ops(), quantized_ops(),      linalg_ops(),      counting_ops(),
        special_ops(),    grouped_ops(),  fractional_pool_ops()})
    ops.add(family);
  return ops;
}

}  // namespace treadle::inline v0
