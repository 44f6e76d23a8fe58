// Reductions as small folds over chunks of dense elements.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/elementwise/element_op.hpp>
#include <treadle/cpu/simd/vector_math.hpp>

namespace treadle::inline v0::cpu {

/// Numbers that a reduction takes besides its elements.
struct ReduceParameters {
  std::int64_t count = 0;  ///< elements that go into one result
  double correction = 1;   ///< of variances
  double order = 2;        ///< of norms
  bool mean = false;       ///< divide by the count
  bool root = false;       ///< standard deviation instead of variance
  const simd::VectorReductions* math = nullptr;
};

/// Room for what a fold has gathered so far.
using ReduceState = std::array<std::byte, 64>;

/// A reduction in one compute type, as functions on raw memory. A result is written as one element
/// of `result_types`.
struct Reducer {
  void (*start)(void* state) = nullptr;
  /// Adds `n` dense elements.
  void (*fold)(const ReduceParameters& parameters, void* state, const void* elements,
               std::int64_t n) = nullptr;
  void (*finish)(const ReduceParameters& parameters, const void* state, void* first,
                 void* second) = nullptr;
  /// Adds rows of `n` dense elements, `stride` bytes apart, to `n` neighbouring states of
  /// `accumulator_size` bytes each; null if the reduction has no such form.
  void (*fold_rows)(const ReduceParameters& parameters, void* states, const std::byte* rows,
                    std::int64_t stride, std::int64_t count, std::int64_t n) = nullptr;
  std::size_t accumulator_size = 0;
  std::array<ComputeType, 2> result_types{};

  [[nodiscard]] bool is_defined() const noexcept { return fold != nullptr; }
};

/// One reduction for all compute types; undefined ones are empty.
struct ReduceOp {
  std::array<Reducer, 4> reducers{};

  [[nodiscard]] constexpr const Reducer& of(ComputeType type) const noexcept {
    return reducers[static_cast<std::size_t>(type)];
  }
};

namespace detail {

template <class T>
constexpr ComputeType compute_type_of() noexcept {
  return compute_type(treadle::dtype_of<T>());
}

/// `Fold<T>` has `State`, `start`, `fold`, `finish`, `Results…`, perhaps `row`, which adds one
/// element to a state, and perhaps `rows`, which does so for many at once.
template <class Fold>
constexpr Reducer make_reducer() {
  using State = typename Fold::State;
  using T = typename Fold::Element;
  static_assert(sizeof(State) <= sizeof(ReduceState));
  Reducer r;
  r.start = [](void* state) { *static_cast<State*>(state) = Fold::start(); };
  r.fold = [](const ReduceParameters& p, void* state, const void* elements, std::int64_t n) {
    Fold::fold(p, *static_cast<State*>(state), static_cast<const T*>(elements), n);
  };
  r.finish = [](const ReduceParameters& p, const void* state, void* first, void* second) {
    Fold::finish(p, *static_cast<const State*>(state), static_cast<typename Fold::First*>(first),
                 static_cast<typename Fold::Second*>(second));
  };
  if constexpr (requires { Fold::row(std::declval<State&>(), std::declval<T>()); }) {
    r.fold_rows = [](const ReduceParameters& p, void* states, const std::byte* rows,
                     std::int64_t stride, std::int64_t count, std::int64_t n) {
      auto* s = static_cast<State*>(states);
      if constexpr (requires { Fold::rows(p, s, rows, stride, count, n); }) {
        Fold::rows(p, s, rows, stride, count, n);
      } else {
        for (std::int64_t k = 0; k < count; ++k, rows += stride)
          for (std::int64_t i = 0; i < n; ++i) Fold::row(s[i], reinterpret_cast<const T*>(rows)[i]);
      }
    };
  }
  r.accumulator_size = sizeof(State);
  r.result_types = {compute_type_of<typename Fold::First>(),
                    compute_type_of<typename Fold::Second>()};
  return r;
}

template <template <class> class Fold, bool Integers, bool Complex>
constexpr ReduceOp make_reduce_op() {
  ReduceOp op;
  if constexpr (Integers) op.reducers[0] = make_reducer<Fold<std::int64_t>>();
  op.reducers[1] = make_reducer<Fold<float>>();
  op.reducers[2] = make_reducer<Fold<double>>();
  if constexpr (Complex) op.reducers[3] = make_reducer<Fold<std::complex<double>>>();
  return op;
}

}  // namespace detail
}  // namespace treadle::inline v0::cpu
