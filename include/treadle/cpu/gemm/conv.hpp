// Convolution of contiguous batches of images on raw memory, planned once and run often.
#pragma once

#include <cstddef>

#include <treadle/config.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/cpu/gemm/conv_plan.hpp>
#include <treadle/cpu/simd/target.hpp>
#include <treadle/sched/scheduler.hpp>

namespace treadle::inline v0::cpu {

/// Plans a convolution; `geometry.output` is given and agrees with `conv_output_size`.
[[nodiscard]] ConvPlan make_conv_plan(DType dtype, const ConvGeometry& geometry,
                                      simd::Target target = simd::detect());

/// Bytes of the packed weights, and the packing: needed once per weight, then shared by every plan
/// of the same geometry but for batch and spatial sizes. `packed` is aligned to `gemm_alignment`.
[[nodiscard]] std::size_t packed_weight_bytes(const ConvPlan& plan);
void pack_weight(const ConvPlan& plan, const void* weight, void* packed);

/// Convolves. `weight` is what `pack_weight` wrote; `output` overlaps no other argument; `scratch`
/// holds `plan.scratch_bytes`. Allocates nothing; results do not depend on the scheduler.
void convolve(const ConvPlan& plan, const void* input, const void* weight, void* output,
              const ConvEpilogue& epilogue, void* scratch, ParallelFor parallel_for);

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/gemm/conv-inl.hpp>
#endif
