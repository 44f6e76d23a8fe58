// Fills a tensor with numbers that follow from their places: ranges, identities, index lists.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/creation/call.hpp>

namespace treadle::inline v0::cpu::detail {

/// Up to three numbers, known or read from 0-d tensors at run time.
struct SequenceNumber {
  Scalar known;
  std::size_t slot = 0;
  ConvertLoop load = nullptr;  ///< to float64; null: `known`
};

struct PreparedSequence {
  using Write = void (*)(const PreparedSequence& p, const std::array<Scalar, 3>& numbers,
                         std::byte* out);

  Write write = nullptr;
  std::array<SequenceNumber, 3> numbers{};
  std::size_t result = 0;
  TensorMeta out;
  ConvertLoop store_integer = nullptr;
  ConvertLoop store_real = nullptr;

  /// Stores elements [0, n) of a line that starts at `to`, in chunks.
  template <class T, class Function>
  void line(std::byte* to, std::int64_t stride, std::int64_t n, Function&& function) const {
    constexpr std::int64_t chunk = 256;
    std::array<T, chunk> values;
    const ConvertLoop store = std::is_same_v<T, double> ? store_real : store_integer;
    for (std::int64_t i = 0; i < n; i += chunk) {
      const std::int64_t m = std::min(chunk, n - i);
      for (std::int64_t k = 0; k < m; ++k) values[static_cast<std::size_t>(k)] = function(i + k);
      store(reinterpret_cast<const std::byte*>(values.data()), sizeof(T), to + i * stride, stride,
            m);
    }
  }
  [[nodiscard]] std::int64_t stride(std::size_t d) const noexcept {
    return out.strides[d] * static_cast<std::int64_t>(size_of(out.dtype));
  }
};

struct SequenceKernel {
  std::string_view schema;
  PreparedSequence::Write write = nullptr;
  std::array<std::string_view, 3> names{};
  std::array<double, 3> defaults{};
};

/// Numbers: start, step.
inline void write_range(const PreparedSequence& p, const std::array<Scalar, 3>& numbers,
                        std::byte* out) {
  const std::int64_t n = p.out.sizes[0];
  if (numbers[0].is_exact() && numbers[1].is_exact()) {
    const auto start = static_cast<std::uint64_t>(numbers[0].to_int());
    const auto step = static_cast<std::uint64_t>(numbers[1].to_int());
    p.line<std::int64_t>(out, p.stride(0), n, [&](std::int64_t i) {
      return static_cast<std::int64_t>(start + step * static_cast<std::uint64_t>(i));
    });
    return;
  }
  const double start = numbers[0].to_double(), step = numbers[1].to_double();
  p.line<double>(out, p.stride(0), n,
                 [&](std::int64_t i) { return start + step * static_cast<double>(i); });
}

/// Place i of n between two numbers, exact at both ends.
inline double between(double start, double end, std::int64_t i, std::int64_t n) noexcept {
  if (n == 1) return start;
  const double step = (end - start) / static_cast<double>(n - 1);
  return i < n / 2 ? start + step * static_cast<double>(i)
                   : end - step * static_cast<double>(n - 1 - i);
}
/// Numbers: start, end.
inline void write_linear(const PreparedSequence& p, const std::array<Scalar, 3>& numbers,
                         std::byte* out) {
  const std::int64_t n = p.out.sizes[0];
  const double start = numbers[0].to_double(), end = numbers[1].to_double();
  p.line<double>(out, p.stride(0), n, [&](std::int64_t i) { return between(start, end, i, n); });
}
/// Numbers: start, end, base.
inline void write_powers(const PreparedSequence& p, const std::array<Scalar, 3>& numbers,
                         std::byte* out) {
  const std::int64_t n = p.out.sizes[0];
  const double start = numbers[0].to_double(), end = numbers[1].to_double();
  const double base = numbers[2].to_double();
  p.line<double>(out, p.stride(0), n,
                 [&](std::int64_t i) { return std::pow(base, between(start, end, i, n)); });
}
inline void write_identity(const PreparedSequence& p, const std::array<Scalar, 3>&,
                           std::byte* out) {
  for (std::int64_t r = 0; r < p.out.sizes[0]; ++r)
    p.line<std::int64_t>(out + r * p.stride(0), p.stride(1), p.out.sizes[1],
                         [&](std::int64_t c) { return std::int64_t{r == c}; });
}
/// Numbers: rows, columns, offset of the diagonal. Rows of the result: row, column.
template <bool Upper>
void write_triangle(const PreparedSequence& p, const std::array<Scalar, 3>& numbers,
                    std::byte* out) {
  const std::int64_t rows = numbers[0].to_int(), columns = numbers[1].to_int();
  const std::int64_t offset = numbers[2].to_int();
  std::int64_t at = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t edge = std::clamp<std::int64_t>(r + offset + (Upper ? 0 : 1), 0, columns);
    const std::int64_t first = Upper ? edge : 0, last = Upper ? columns : edge;
    const std::int64_t n = std::min(last - first, p.out.sizes[1] - at);
    std::byte* to = out + at * p.stride(1);
    p.line<std::int64_t>(to, p.stride(1), n, [&](std::int64_t) { return r; });
    p.line<std::int64_t>(to + p.stride(0), p.stride(1), n,
                         [&](std::int64_t i) { return first + i; });
    at += n;
  }
}

inline Result<Erased> prepare_sequence(const void* object, PrepareContext<Backend>& context) {
  const auto& kernel = *static_cast<const SequenceKernel*>(object);
  const FillArguments call(kernel.schema, context);
  PreparedSequence p;
  p.write = kernel.write;
  p.out = context.results()[0].meta();
  p.result = call.result_slot();
  for (std::size_t i = 0; i < p.numbers.size(); ++i) {
    const double given = kernel.defaults[i];
    p.numbers[i].known =
        given == std::floor(given) ? Scalar(static_cast<std::int64_t>(given)) : Scalar(given);
    if (const auto number = call.number(kernel.names[i])) p.numbers[i].known = *number;
    if (const auto* tensor = call.tensor(kernel.names[i])) {
      p.numbers[i].slot = call.slot(kernel.names[i]);
      p.numbers[i].load = load_loop(tensor->dtype(), ComputeType::float64);
      if (!p.numbers[i].load || element_count(tensor->meta()) != 1)
        return context.fail("'", kernel.names[i], "' must be one number");
    }
  }
  p.store_integer = store_loop(ComputeType::int64, p.out.dtype);
  p.store_real = store_loop(ComputeType::float64, p.out.dtype);
  if (!p.store_integer || !p.store_real)
    return context.fail("results of dtype ", name(p.out.dtype), " can't be stored");
  return make_erased(std::move(p));
}

inline Status run_sequence(const void* state, RunContext<Backend>&, Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedSequence*>(state);
  std::array<Scalar, 3> numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = p.numbers[i].known;
    if (!p.numbers[i].load) continue;
    double value = 0;
    p.numbers[i].load(tensors[p.numbers[i].slot]->bytes(), 0, reinterpret_cast<std::byte*>(&value),
                      0, 1);
    numbers[i] = Scalar(value);
  }
  p.write(p, numbers, tensors[p.result]->bytes());
  return {};
}

}  // namespace treadle::inline v0::cpu::detail
