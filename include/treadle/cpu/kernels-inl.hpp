// Definition of the stock backend's kernel registry.
#pragma once

#include <treadle/cpu/attention.hpp>
#include <treadle/cpu/conv.hpp>
#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/counting.hpp>
#include <treadle/cpu/creation.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/fft.hpp>
#include <treadle/cpu/index.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/cpu/linalg.hpp>
#include <treadle/cpu/linear.hpp>
#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/norm.hpp>
#include <treadle/cpu/pad.hpp>
#include <treadle/cpu/pool.hpp>
#include <treadle/cpu/quantized.hpp>
#include <treadle/cpu/random.hpp>
#include <treadle/cpu/recurrent.hpp>
#include <treadle/cpu/reduction.hpp>
#include <treadle/cpu/sort.hpp>
#include <treadle/cpu/upsample.hpp>
#include <treadle/cpu/view.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE KernelRegistry<Backend> kernels() {
  KernelRegistry<Backend> registry = elementwise_kernels();
  for (const auto family :
       {&copy_kernels,      &creation_kernels, &assertion_kernels, &random_kernels,
        &view_kernels,      &index_kernels,    &movement_kernels,  &pad_kernels,
        &reduction_kernels, &sort_kernels,     &norm_kernels,      &pool_kernels,
        &linear_kernels,    &conv_kernels,     &attention_kernels, &recurrent_kernels,
        &fft_kernels,       &upsample_kernels, &quantized_kernels, &linalg_kernels,
        &counting_kernels})
    registry.merge(family());
  return registry;
}

}  // namespace treadle::inline v0::cpu
