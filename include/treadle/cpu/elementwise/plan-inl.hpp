// Definitions of the loops that an elementwise call runs.
#pragma once

#include <algorithm>
#include <cstring>

#include <treadle/cpu/elementwise/plan.hpp>

namespace treadle::inline v0::cpu {
namespace detail {

/// Working memory of one range: a chunk for each operand and the result.
struct ElementwiseChunks {
  alignas(64) std::byte bytes[ElementwisePlan::max_arity + 1][ElementwisePlan::chunk_bytes];
  alignas(64) std::byte narrow[ElementwisePlan::chunk_bytes];
};

inline void repeat_number(const ElementwisePlan& plan, const ElementwisePlan::Operand& operand,
                          std::int64_t n, std::byte* to) {
  const std::size_t size = plan.operand_size;
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(to + static_cast<std::size_t>(i) * size, operand.number.data(), size);
}

inline bool has_zero(const void* elements, std::int64_t n) noexcept {
  const auto* e = static_cast<const std::int64_t*>(elements);
  bool zero = false;
  for (std::int64_t i = 0; i < n; ++i) zero |= e[i] == 0;
  return zero;
}

/// One inner run by chunks: what is not dense and of the compute type goes through memory at hand.
inline bool run_chunks(const ElementwisePlan& plan, ElementwiseChunks& chunks,
                       std::byte* const* pointers, const std::int64_t* strides, std::int64_t n) {
  std::array<const void*, ElementwisePlan::max_arity> in{};
  for (std::int64_t begin = 0; begin < n; begin += plan.chunk) {
    const std::int64_t m = std::min(plan.chunk, n - begin);
    for (std::size_t j = 0; j < plan.arity; ++j) {
      const auto& operand = plan.operands[j];
      if (operand.nest_index == 0) {
        in[j] = chunks.bytes[j];
        continue;
      }
      const std::int64_t stride = strides[operand.nest_index];
      const std::byte* from = pointers[operand.nest_index] + begin * stride;
      in[j] = operand.load ? chunks.bytes[j] : from;
      if (operand.load) operand.load(from, stride, chunks.bytes[j], plan.operand_size, m);
      if (operand.narrow) {
        operand.narrow(chunks.bytes[j], plan.operand_size, chunks.narrow, plan.narrow_size, m);
        operand.widen(chunks.narrow, plan.narrow_size, chunks.bytes[j], plan.operand_size, m);
      }
    }
    std::byte* to = pointers[0] + begin * strides[0];
    if (plan.check_zero && has_zero(in[plan.arity - 1u], m)) return false;
    plan.loop(plan.parameters, in.data(), plan.store ? chunks.bytes[plan.arity] : to, m);
    if (plan.store) plan.store(chunks.bytes[plan.arity], plan.result_size, to, strides[0], m);
    if (n - begin == m) break;
  }
  return true;
}

inline bool any_range(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                      std::int64_t end) {
  ElementwiseChunks chunks;
  for (std::size_t j = 0; j < plan.arity; ++j)
    if (plan.operands[j].nest_index == 0)
      repeat_number(plan, plan.operands[j], std::min({plan.chunk, end - begin, plan.nest.sizes[0]}),
                    chunks.bytes[j]);
  bool good = true;
  for_each_run(plan.nest, bases, begin, end,
               [&](std::byte* const* pointers, const std::int64_t* strides, std::int64_t n) {
                 good = good && run_chunks(plan, chunks, pointers, strides, n);
               });
  return good;
}

inline float* floats(std::byte* bytes) noexcept { return reinterpret_cast<float*>(bytes); }
inline std::size_t length(std::int64_t begin, std::int64_t end) noexcept {
  return static_cast<std::size_t>(end - begin);
}

// --- float32 by the functions of the machine's instruction set ----------------------------------

inline bool unary_range(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                        std::int64_t end) {
  plan.unary(floats(bases[1]) + begin, floats(bases[0]) + begin, length(begin, end));
  return true;
}
inline bool binary_range(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                         std::int64_t end) {
  plan.binary(floats(bases[1]) + begin, floats(bases[2]) + begin, floats(bases[0]) + begin,
              length(begin, end));
  return true;
}
inline bool number_range(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                         std::int64_t end) {
  plan.scalar(floats(bases[1]) + begin, plan.number, floats(bases[0]) + begin, length(begin, end));
  return true;
}
inline bool unary_rows(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                       std::int64_t end) {
  for_each_run(plan.nest, bases, begin, end,
               [&](std::byte* const* p, const std::int64_t*, std::int64_t n) {
                 plan.unary(floats(p[1]), floats(p[0]), static_cast<std::size_t>(n));
               });
  return true;
}
inline bool binary_rows(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                        std::int64_t end) {
  for_each_run(plan.nest, bases, begin, end,
               [&](std::byte* const* p, const std::int64_t*, std::int64_t n) {
                 plan.binary(floats(p[1]), floats(p[2]), floats(p[0]), static_cast<std::size_t>(n));
               });
  return true;
}
inline bool number_rows(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                        std::int64_t end) {
  for_each_run(plan.nest, bases, begin, end,
               [&](std::byte* const* p, const std::int64_t*, std::int64_t n) {
                 plan.scalar(floats(p[1]), plan.number, floats(p[0]), static_cast<std::size_t>(n));
               });
  return true;
}
/// One tensor operand (`Constant`) stays in place along the inner loop.
template <std::size_t Dense, std::size_t Constant>
bool scalar_rows(const ElementwisePlan& plan, std::byte* const* bases, std::int64_t begin,
                 std::int64_t end) {
  for_each_run(plan.nest, bases, begin, end,
               [&](std::byte* const* p, const std::int64_t*, std::int64_t n) {
                 plan.scalar(floats(p[Dense]), *floats(p[Constant]), floats(p[0]),
                             static_cast<std::size_t>(n));
               });
  return true;
}

inline ElementwisePlan::Range table_range(ElementwisePlan& p,
                                          simd::ScalarFunction<float> scalar_first,
                                          simd::ScalarFunction<float> scalar_second) {
  const auto dense = [&](std::size_t k) { return p.nest.is_dense(k, DType::float32); };
  if (!dense(0)) return nullptr;
  const bool flat = p.nest.contiguous;
  if (p.arity == 1 && p.unary && p.operands[0].nest_index != 0 && dense(1))
    return flat ? &unary_range : &unary_rows;
  if (p.arity != 2) return nullptr;
  const auto &a = p.operands[0], &b = p.operands[1];
  if (a.nest_index != 0 && b.nest_index != 0) {
    if (p.binary && dense(1) && dense(2)) return flat ? &binary_range : &binary_rows;
    if (scalar_second && dense(1) && p.nest.is_constant(2)) {
      p.scalar = scalar_second;
      return &scalar_rows<1, 2>;
    }
    if (scalar_first && dense(2) && p.nest.is_constant(1)) {
      p.scalar = scalar_first;
      return &scalar_rows<2, 1>;
    }
    return nullptr;
  }
  if ((a.nest_index == 0) == (b.nest_index == 0) || !dense(1)) return nullptr;
  p.scalar = a.nest_index == 0 ? scalar_first : scalar_second;
  if (!p.scalar) return nullptr;
  std::memcpy(&p.number, (a.nest_index == 0 ? a : b).number.data(), sizeof(float));
  return flat ? &number_range : &number_rows;
}

}  // namespace detail

TREADLE_INLINE void ElementwisePlan::choose_range() {
  range = &detail::any_range;
  bool converts = store != nullptr;
  for (std::size_t j = 0; j < arity; ++j)
    converts |= operands[j].nest_index == 0 || operands[j].load != nullptr;
  const std::size_t widest = std::max<std::size_t>(operand_size, result_size);
  if (converts) chunk = chunk_bytes / static_cast<std::int64_t>(widest);
}

}  // namespace treadle::inline v0::cpu
