// The kernel of softmax and its logarithm.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/reduction/row_plan.hpp>

namespace treadle::inline v0::cpu::detail {

inline double largest_of(const double* in, std::int64_t n) noexcept {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < n; ++i)
    if (!(in[i] <= largest)) largest = in[i];
  return largest;
}

inline void softmax_row(const RowParameters& p, const float* in, float* out, std::int64_t n) {
  p.math->softmax(in, out, static_cast<std::size_t>(n));
}
inline void softmax_row(const RowParameters&, const double* in, double* out, std::int64_t n) {
  const double largest = largest_of(in, n);
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(in[i] - largest);
  for (std::int64_t i = 0; i < n; ++i) out[i] /= sum;
}
inline void log_softmax_row(const RowParameters& p, const float* in, float* out, std::int64_t n) {
  p.math->log_softmax(in, out, static_cast<std::size_t>(n));
}
inline void log_softmax_row(const RowParameters&, const double* in, double* out, std::int64_t n) {
  const double largest = largest_of(in, n);
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += std::exp(in[i] - largest);
  const double shift = largest + std::log(sum);
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i] - shift;
}

enum class SoftmaxForm : std::uint8_t { plain, logarithm, safe };

template <class T, SoftmaxForm Form>
void softmax_loop(const RowParameters& p, const void* in, void* out, void*, std::byte*,
                  std::int64_t n) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(out);
  if constexpr (Form == SoftmaxForm::safe) {
    // A row that is masked as a whole gives zeros instead of NaN.
    constexpr T masked = -std::numeric_limits<T>::infinity();
    if (std::all_of(from, from + n, [](T x) { return x == masked; })) {
      std::fill(to, to + n, T{});
      return;
    }
  }
  if constexpr (Form == SoftmaxForm::logarithm)
    log_softmax_row(p, from, to, n);
  else
    softmax_row(p, from, to, n);
}

template <SoftmaxForm Form>
RowLoop softmax_loop_for(ComputeType type) noexcept {
  return type == ComputeType::float64 ? &softmax_loop<double, Form> : &softmax_loop<float, Form>;
}

/// Kernel of every form of softmax.
class SoftmaxKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    RowPlan::Request request;
    request.dim =
        wrap_dim(arguments.get<std::int64_t>("dim", -1), arguments.tensor("self").meta().rank());
    request.type = compute_type(arguments.result(0).dtype);
    request.cost = 2;
    const auto name = arguments.base_name();
    if (name.find("log") != name.npos)
      request.loop = softmax_loop_for<SoftmaxForm::logarithm>(request.type);
    else if (name == "_safe_softmax")
      request.loop = softmax_loop_for<SoftmaxForm::safe>(request.type);
    else
      request.loop = softmax_loop_for<SoftmaxForm::plain>(request.type);
    return plan_.prepare(arguments, request);
  }
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    return plan_.run(context, tensors);
  }

 private:
  RowPlan plan_;
};

}  // namespace treadle::inline v0::cpu::detail
