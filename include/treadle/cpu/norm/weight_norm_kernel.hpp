// The kernel of weight normalisation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/cpu/norm/row_norm_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// `v · g / ‖v‖`, the norm taken over all dimensions but one, or over all.
class WeightNormKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const TensorMeta& v = arguments.tensor("v").meta();
    const auto dim = arguments.get<std::int64_t>("dim", 0);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < v.rank(); ++d) order.push_back(d);
    if (dim != -1 && v.rank() > 0) {
      const auto kept = static_cast<std::ptrdiff_t>(wrap_dim(dim, v.rank()));
      std::rotate(order.begin(), order.begin() + kept, order.begin() + kept + 1);
      rows_ = v.sizes[order[0]];
    }
    n_ = rows_ == 0 ? 0 : element_count(v) / rows_;
    Packer packer(arguments.context());
    TREADLE_TRY(v_, packer.input(v, ComputeType::float64, order));
    TREADLE_TRY(g_, packer.input(arguments.tensor("g").meta(), ComputeType::float64));
    if (element_count(arguments.tensor("g").meta()) != rows_)
      return arguments.context().fail("'g' must have ", rows_, " elements");
    TREADLE_TRY(out_, packer.output(arguments.result(0), ComputeType::float64, order));
    out_slot_ = arguments.result_slot(0);
    norms_.given = arguments.result_count() > 1;
    if (!norms_.given) return {};
    norms_.slot = arguments.result_slot(1);
    TREADLE_TRY(norms_.packed, packer.output(arguments.result(1), ComputeType::float64));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* v = static_cast<const double*>(v_.load(context, *tensors[0]));
    const auto* g = static_cast<const double*>(g_.load(context, *tensors[1]));
    auto* out = static_cast<double*>(out_.target(context, *tensors[out_slot_]));
    auto* norms = norms_.given
                      ? static_cast<double*>(norms_.packed.target(context, *tensors[norms_.slot]))
                      : nullptr;
    for (std::int64_t r = 0; r < rows_; ++r) {
      double squares = 0;
      for (std::int64_t i = 0; i < n_; ++i) squares += v[r * n_ + i] * v[r * n_ + i];
      const double norm = std::sqrt(squares);
      if (norms) norms[r] = norm;
      for (std::int64_t i = 0; i < n_; ++i) out[r * n_ + i] = v[r * n_ + i] * (g[r] / norm);
    }
    out_.store(context, *tensors[out_slot_]);
    if (norms) norms_.packed.store(context, *tensors[norms_.slot]);
    return {};
  }

 private:
  std::int64_t rows_ = 1, n_ = 0;
  Packed v_, g_, out_;
  std::size_t out_slot_ = 0;
  OptionalPacked norms_;
};

}  // namespace treadle::inline v0::cpu::detail
