// Checks at run time: an element that must not be 0, a number that must lie in a range.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/cpu/creation/call.hpp>

namespace treadle::inline v0::cpu::detail {

struct CheckKernel {
  std::string_view schema;
};

struct PreparedCheck {
  std::string failure;          ///< message if the check fails
  bool failed = false;          ///< a number that is known failed
  ConvertLoop load = nullptr;   ///< null: no tensor is checked
  ConvertLoop store = nullptr;  ///< what was loaded, to bool
  std::size_t slot = 0;
  bool has_token = false;  ///< the last argument is copied to the result
  std::size_t token = 0;
  std::size_t token_bytes = 0;
};

inline bool in_range(const FillArguments& call, const Scalar& size) {
  const auto low = call.number("min"), high = call.number("max");
  return (!low || size.to_int() >= low->to_int()) && (!high || size.to_int() <= high->to_int());
}

inline Result<Erased> prepare_check(const void* object, PrepareContext<Backend>& context) {
  const FillArguments call(static_cast<const CheckKernel*>(object)->schema, context);
  PreparedCheck p;
  const std::string message = call.text("assert_msg");
  p.failure =
      message.empty() ? std::string("assertion failed") : concat("assertion failed: ", message);
  if (const auto* tensor = call.tensor("self")) {
    if (element_count(tensor->meta()) != 1)
      return context.fail("expected one element, found sizes ", tensor->meta().sizes);
    p.slot = call.slot("self");
    const ComputeType type = compute_type(tensor->dtype());
    p.load = load_loop(tensor->dtype(), type);
    p.store = store_loop(type, DType::bool_);
    if (!p.load) return context.fail("elements of dtype ", name(tensor->dtype()), " can't be read");
  } else if (const auto number = call.number("self")) {
    p.failed = !number->to_bool();
  }
  if (const auto size = call.number("size")) {
    p.failed |= !in_range(call, *size);
    p.failure = concat("a size is out of its range: ", size->to_int());
  }
  if (const auto* token = call.tensor("dep_token")) {
    p.has_token = true;
    p.token = call.slot("dep_token");
    p.token_bytes =
        static_cast<std::size_t>(element_count(token->meta())) * size_of(token->dtype());
    if (!is_contiguous(token->meta()) || !is_contiguous(context.results()[0].meta()))
      return context.fail("a token must be contiguous");
  }
  return make_erased(std::move(p));
}

inline Status run_check(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
  const auto& p = *static_cast<const PreparedCheck*>(state);
  if (p.failed) return context.fail(p.failure);
  if (p.load) {
    alignas(16) std::array<std::byte, 16> value{};
    p.load(tensors[p.slot]->bytes(), 0, value.data(), 0, 1);
    bool good = false;
    p.store(value.data(), 0, reinterpret_cast<std::byte*>(&good), 0, 1);
    if (!good) return context.fail(p.failure);
  }
  if (p.has_token && p.token_bytes > 0)
    std::memcpy(tensors[p.token + 1]->bytes(), tensors[p.token]->bytes(), p.token_bytes);
  return {};
}

}  // namespace treadle::inline v0::cpu::detail
