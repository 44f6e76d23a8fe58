// The kernel of distances and similarities of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <treadle/cpu/reduction/element_distance.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu::detail {

/// The p-norm of `a - b + shift`.
inline double row_distance(const ElementDistance& distance, const double* a, const double* b,
                           std::int64_t n, double p, double shift) noexcept {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = distance(a, b, i, shift);
    if (p == 2)
      sum += d * d;
    else if (p == 1)
      sum += d;
    else if (p == 0)
      sum += d != 0 ? 1 : 0;
    else if (std::isinf(p))
      sum = std::max(sum, d);
    else
      sum += std::pow(d, p);
  }
  if (p == 2) return std::sqrt(sum);
  return p == 1 || p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

inline double row_similarity(const double* a, const double* b, std::int64_t n,
                             double epsilon) noexcept {
  double product = 0, a_squares = 0, b_squares = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    product += a[i] * b[i];
    a_squares += a[i] * a[i];
    b_squares += b[i] * b[i];
  }
  return product /
         (std::max(std::sqrt(a_squares), epsilon) * std::max(std::sqrt(b_squares), epsilon));
}

/// Kernel of `cdist`, `pairwise_distance` and `cosine_similarity`. Computes in double.
class DistanceKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const std::string_view name = arguments.base_name();
    const TensorMeta &a = arguments.tensor("x1").meta(), &b = arguments.tensor("x2").meta();
    similar_ = name == "cosine_similarity";
    pairs_ = name.find("dist") != name.npos && name != "pairwise_distance";
    power_ = arguments.get<double>("p", 2);
    epsilon_ = arguments.get<double>("eps", 0);
    Dims sizes;
    const std::size_t rank = std::max<std::size_t>({a.rank(), b.rank(), 1});
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t x = size_from_right(a, rank - d), y = size_from_right(b, rank - d);
      sizes.push_back(x == 1 ? y : x);
    }
    const std::size_t dim =
        similar_ ? wrap_dim(arguments.get<std::int64_t>("dim", 1), rank) : rank - 1;
    n_ = sizes[dim];
    distance_ = ElementDistance(promote_types(a.dtype, b.dtype));
    if (similar_ && distance_.width() != 1)
      return arguments.context().fail("not defined for complex numbers");
    Packer packer(arguments.context());
    for (std::size_t k = 0; k < 2; ++k) {
      TensorMeta meta = k == 0 ? a : b;
      Dims wanted = sizes;
      if (pairs_) wanted[rank - 2] = meta.sizes[meta.rank() - 2];
      if (pairs_) rows_[k] = wanted[rank - 2];
      expand(meta, wanted);
      TREADLE_TRY(inputs_[k],
                  packer.input(meta, distance_.compute_type(), Packer::dim_last(rank, dim)));
    }
    TREADLE_TRY(out_, packer.output(arguments.result(0), ComputeType::float64));
    out_slot_ = arguments.result_slot(0);
    count_ = element_count(arguments.result(0));
    grain_ = std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(1, n_));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    const auto* a = static_cast<const double*>(inputs_[0].load(context, *tensors[0]));
    const auto* b = static_cast<const double*>(inputs_[1].load(context, *tensors[1]));
    auto* out = static_cast<double*>(out_.target(context, *tensors[out_slot_]));
    context.parallel_for(count_, grain_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        // All pairs: output (batch, p, r) compares row p of one with row r of the other.
        const std::int64_t batch = pairs_ ? i / (rows_[0] * rows_[1]) : 0;
        const std::int64_t first = pairs_ ? i / rows_[1] : i;
        const std::int64_t second = pairs_ ? batch * rows_[1] + i % rows_[1] : i;
        const std::int64_t row = n_ * distance_.width();
        const double *x = a + first * row, *y = b + second * row;
        out[i] = similar_ ? row_similarity(x, y, n_, epsilon_)
                          : row_distance(distance_, x, y, n_, power_, epsilon_);
      }
    });
    out_.store(context, *tensors[out_slot_]);
    return {};
  }

 private:
  static std::int64_t size_from_right(const TensorMeta& meta, std::size_t place) noexcept {
    return place > meta.rank() ? 1 : meta.sizes[meta.rank() - place];
  }
  static void expand(TensorMeta& meta, const Dims& sizes) {
    Dims strides(sizes.size(), 0);
    for (std::size_t d = 0; d < meta.rank(); ++d)
      if (meta.sizes[d] != 1) strides[sizes.size() - meta.rank() + d] = meta.strides[d];
    meta.sizes = sizes;
    meta.strides = strides;
  }

  bool similar_ = false, pairs_ = false;
  double power_ = 2, epsilon_ = 0;
  ElementDistance distance_;
  std::int64_t n_ = 0, count_ = 0, grain_ = 1;
  std::int64_t rows_[2] = {1, 1};
  Packed inputs_[2];
  Packed out_;
  std::size_t out_slot_ = 0;
};

}  // namespace treadle::inline v0::cpu::detail
