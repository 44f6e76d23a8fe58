// The kernel of running sums, products and extremes.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string_view>

#include <treadle/cpu/elementwise/complex_log_sum.hpp>
#include <treadle/cpu/reduction/folds.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/reduction/row_plan.hpp>

namespace treadle::inline v0::cpu::detail {

template <class T, template <class> class Fold>
void running_fold_loop(const RowParameters&, const void* in, void* out, void*, std::byte*,
                       std::int64_t n) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(out);
  auto state = Fold<T>::start();
  for (std::int64_t i = 0; i < n; ++i) {
    Fold<T>::row(state, from[i]);
    to[i] = static_cast<T>(state);
  }
}

/// The last of equal elements counts; NaN stays once met.
template <class T, bool Largest>
void running_extreme_loop(const RowParameters&, const void* in, void* out, void* places, std::byte*,
                          std::int64_t n) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(out);
  auto* place = static_cast<std::int64_t*>(places);
  if (n == 0) return;
  T best = from[0];
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = from[i];
    if (is_not_a_number(x) || (!is_not_a_number(best) && (Largest ? x >= best : x <= best))) {
      best = x;
      at = i;
    }
    to[i] = best;
    place[i] = at;
  }
}

template <class T>
void running_logsumexp_loop(const RowParameters&, const void* in, void* out, void*, std::byte*,
                            std::int64_t n) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(out);
  double sum = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(from[i]);
    const double high = x > sum || is_not_a_number(x) ? x : sum,
                 low = x > sum || is_not_a_number(x) ? sum : x;
    sum = std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
    to[i] = static_cast<T>(sum);
  }
}

inline void running_complex_logsumexp_loop(const RowParameters&, const void* in, void* out, void*,
                                           std::byte*, std::int64_t n) {
  const auto* from = static_cast<const std::complex<double>*>(in);
  auto* to = static_cast<std::complex<double>*>(out);
  std::complex<double> sum = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < n; ++i) to[i] = sum = log_sum_exp(from[i], sum);
}

template <template <class> class Fold>
RowLoop running_fold_for(ComputeType type) noexcept {
  switch (type) {
    case ComputeType::int64: return &running_fold_loop<std::int64_t, Fold>;
    case ComputeType::float32: return &running_fold_loop<float, Fold>;
    case ComputeType::float64: return &running_fold_loop<double, Fold>;
    default: return &running_fold_loop<std::complex<double>, Fold>;
  }
}

template <bool Largest>
RowLoop running_extreme_for(ComputeType type) noexcept {
  switch (type) {
    case ComputeType::int64: return &running_extreme_loop<std::int64_t, Largest>;
    case ComputeType::float32: return &running_extreme_loop<float, Largest>;
    case ComputeType::float64: return &running_extreme_loop<double, Largest>;
    default: return nullptr;
  }
}

inline RowLoop running_loop_for(std::string_view name, ComputeType type) noexcept {
  if (name == "cumsum") return running_fold_for<SumFold>(type);
  if (name == "cumprod") return running_fold_for<ProductFold>(type);
  if (name == "cummax") return running_extreme_for<true>(type);
  if (name == "cummin") return running_extreme_for<false>(type);
  if (type == ComputeType::float32) return &running_logsumexp_loop<float>;
  if (type == ComputeType::complex128) return &running_complex_logsumexp_loop;
  return type == ComputeType::float64 ? &running_logsumexp_loop<double> : nullptr;
}

/// Kernel of the running sums, products and extremes.
class ScanKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    RowPlan::Request request;
    request.dim =
        wrap_dim(arguments.get<std::int64_t>("dim", -1), arguments.tensor("self").meta().rank());
    request.type = compute_type(arguments.result(0).dtype);
    request.loop = running_loop_for(arguments.base_name(), request.type);
    request.cost = 2;
    if (!request.loop)
      return arguments.context().fail("not defined for ", name(arguments.result(0).dtype));
    return plan_.prepare(arguments, request);
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    return plan_.run(context, tensors);
  }

 private:
  RowPlan plan_;
};

}  // namespace treadle::inline v0::cpu::detail
