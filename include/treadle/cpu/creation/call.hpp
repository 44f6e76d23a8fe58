// Reading the arguments of a call by name, for kernels that share one prepare function.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/kernel/decode.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::cpu::detail {

/// A call that is being prepared, with its schema at hand.
class FillArguments {
 public:
  FillArguments(std::string_view schema, const PrepareContext<Backend>& context)
      : schema_(parse_schema(schema)), context_(context) {}

  [[nodiscard]] std::string_view name() const noexcept { return schema_.name; }
  /// The constant argument of this name, null if there is none or it is a tensor.
  [[nodiscard]] const Constant* constant(std::string_view argument) const noexcept {
    const int at = schema_.find(argument);
    return at < 0 ? nullptr
                  : std::get_if<Constant>(&context_.argument(static_cast<std::size_t>(at)));
  }
  [[nodiscard]] std::optional<Scalar> number(std::string_view argument) const noexcept {
    const auto* c = constant(argument);
    return c ? treadle::detail::as_scalar(*c) : std::nullopt;
  }
  [[nodiscard]] std::string text(std::string_view argument) const {
    const auto* c = constant(argument);
    const auto* s = c ? std::get_if<std::string>(c) : nullptr;
    return s ? *s : std::string();
  }
  /// The tensor argument of this name, null if there is none.
  [[nodiscard]] const TensorInfo<Backend>* tensor(std::string_view argument) const noexcept {
    const int at = schema_.find(argument);
    const auto* info =
        at < 0 ? nullptr
               : std::get_if<TensorInfo<Backend>>(&context_.argument(static_cast<std::size_t>(at)));
    return info && !info->is_none() ? info : nullptr;
  }
  /// Where the tensor of this name stands among the tensors of the call; how many tensors there
  /// are if no argument has the name: the place of the first result. Lists do not occur here.
  [[nodiscard]] std::size_t slot(std::string_view argument) const noexcept {
    std::size_t slot = 0;
    for (std::size_t i = 0; i < schema_.argument_count; ++i) {
      if (schema_.arguments[i].name == argument) return slot;
      slot += schema_.arguments[i].kind == SchemaKind::tensor ? 1 : 0;
    }
    return slot;
  }
  [[nodiscard]] std::size_t result_slot() const noexcept { return slot({}); }

 private:
  Schema schema_;
  const PrepareContext<Backend>& context_;
};

/// The bytes of a number as an element; false if `dtype` has no conversion.
inline bool encode(const Scalar& value, DType dtype, std::array<std::byte, 16>& bytes) {
  const auto store = [&](ComputeType type, auto number) {
    const ConvertLoop loop = store_loop(type, dtype);
    if (loop) loop(reinterpret_cast<const std::byte*>(&number), 0, bytes.data(), 0, 1);
    return loop != nullptr;
  };
  if (value.is_exact()) return store(ComputeType::int64, value.to_int());
  if (value.category() == DTypeCategory::floating)
    return store(ComputeType::float64, value.to_double());
  return store(ComputeType::complex128, value.to_complex());
}

}  // namespace treadle::inline v0::cpu::detail
