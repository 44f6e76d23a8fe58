// Fills a tensor with one element.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/creation/call.hpp>
#include <treadle/cpu/loops.hpp>

namespace treadle::inline v0::cpu::detail {

/// Where the element comes from.
struct FillKernel {
  std::string_view schema;
  std::string_view argument;  ///< a number or a 0-d tensor; empty: `number`
  std::int64_t number = 0;
};

struct PreparedFill {
  LoopNest nest;
  std::array<std::byte, 16> element{};
  std::size_t size = 0;
  std::size_t result = 0;
  std::size_t source = 0;       ///< tensor that the element is read from at run time
  ConvertLoop load = nullptr;   ///< null: the element is known
  ConvertLoop store = nullptr;  ///< after `load`
  bool uniform = false;         ///< all bytes of the known element are the same
};

template <std::size_t Size>
void fill_run(std::byte* to, std::int64_t stride, std::int64_t n, const std::byte* element) {
  struct Element {
    std::byte bytes[Size];
  } value;
  std::memcpy(&value, element, Size);
  if (stride == static_cast<std::int64_t>(Size)) {
    auto* out = reinterpret_cast<Element*>(to);
    std::fill(out, out + n, value);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * stride, &value, Size);
}

inline void fill_any(std::byte* to, std::int64_t stride, std::int64_t n, const std::byte* element,
                     std::size_t size) {
  switch (size) {
    case 1: return fill_run<1>(to, stride, n, element);
    case 2: return fill_run<2>(to, stride, n, element);
    case 4: return fill_run<4>(to, stride, n, element);
    case 8: return fill_run<8>(to, stride, n, element);
    default: return fill_run<16>(to, stride, n, element);
  }
}

inline Result<Erased> prepare_fill(const void* object, PrepareContext<Backend>& context) {
  const auto& kernel = *static_cast<const FillKernel*>(object);
  const FillArguments call(kernel.schema, context);
  const TensorMeta& out = context.results()[0].meta();
  PreparedFill prepared;
  TREADLE_TRY(prepared.nest, make_nest({&out}));
  prepared.size = size_of(out.dtype);
  prepared.result = call.result_slot();
  const auto* tensor = kernel.argument.empty() ? nullptr : call.tensor(kernel.argument);
  if (tensor) {
    if (element_count(tensor->meta()) != 1)
      return context.fail("expected one element, found sizes ", tensor->meta().sizes);
    const ComputeType type = compute_type(tensor->dtype());
    prepared.source = call.slot(kernel.argument);
    prepared.load = load_loop(tensor->dtype(), type);
    prepared.store = store_loop(type, out.dtype);
    if (!prepared.load || !prepared.store)
      return context.fail("can't convert ", name(tensor->dtype()), " to ", name(out.dtype));
  } else {
    const Scalar value = kernel.argument.empty() ? Scalar(kernel.number)
                                                 : call.number(kernel.argument).value_or(Scalar(0));
    if (value == Scalar(0))
      prepared.element = {};
    else if (!encode(value, out.dtype, prepared.element))
      return context.fail("elements of dtype ", name(out.dtype), " can't be filled in");
    prepared.uniform =
        std::all_of(prepared.element.begin(),
                    prepared.element.begin() + static_cast<std::ptrdiff_t>(prepared.size),
                    [&](std::byte b) { return b == prepared.element[0]; });
  }
  return make_erased(std::move(prepared));
}

inline Status run_fill(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedFill*>(state);
  std::array<std::byte, 16> element = p.element;
  if (p.load) {
    alignas(16) std::array<std::byte, 16> loaded{};
    p.load(tensors[p.source]->bytes(), 0, loaded.data(), 0, 1);
    p.store(loaded.data(), 0, element.data(), 0, 1);
  }
  std::byte* bases[] = {tensors[p.result]->bytes()};
  for_each_run(p.nest, bases, context.parallel_for, 65536,
               [&](std::byte* const* to, const std::int64_t* strides, std::int64_t n) {
                 if (p.uniform && strides[0] == static_cast<std::int64_t>(p.size))
                   std::memset(to[0], std::to_integer<int>(element[0]),
                               static_cast<std::size_t>(n) * p.size);
                 else
                   fill_any(to[0], strides[0], n, element.data(), p.size);
               });
  return {};
}

}  // namespace treadle::inline v0::cpu::detail
