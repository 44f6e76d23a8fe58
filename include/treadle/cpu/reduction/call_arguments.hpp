// The arguments of a call by their schema names, for kernels that are driven by tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <treadle/core/small_vector.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/kernel/decode.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0::cpu {

/// What `prepare` of a table-driven kernel reads. For schemas without lists of tensors. Valid as
/// long as the context.
class CallArguments {
 public:
  CallArguments(std::string_view schema, PrepareContext<Backend>& context)
      : schema_(parse_schema(schema)), context_(&context) {}

  [[nodiscard]] PrepareContext<Backend>& context() const noexcept { return *context_; }
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }

  /// The operator's name without namespace and overload: `sum` of `aten::sum.dim_IntList`.
  [[nodiscard]] std::string_view base_name() const noexcept {
    std::string_view name = schema_.name;
    if (const auto at = name.rfind(':'); at != name.npos) name.remove_prefix(at + 1);
    return name.substr(0, name.find('.'));
  }

  /// A tensor argument; one that is None for names that the schema does not have.
  [[nodiscard]] TensorInfo<Backend> tensor(std::string_view name) const {
    const int i = schema_.find(name);
    if (i < 0) return {};
    const auto* info = std::get_if<TensorInfo<Backend>>(&context_->argument(std::size_t(i)));
    return info ? *info : TensorInfo<Backend>{};
  }
  /// Place of a tensor argument among the tensors that `run` gets.
  [[nodiscard]] std::size_t slot(std::string_view name) const {
    return count_tensors(static_cast<std::size_t>(schema_.find(name)));
  }
  [[nodiscard]] std::size_t result_slot(std::size_t i) const {
    return count_tensors(schema_.argument_count) + i;
  }
  [[nodiscard]] const TensorMeta& result(std::size_t i) const {
    return context_->results()[i].meta();
  }
  [[nodiscard]] std::size_t result_count() const noexcept { return context_->results().size(); }

  /// The argument as a `T` (`std::int64_t`, `bool`, `double`, `Scalar`, `DType`, `std::string` or a
  /// vector of numbers); nothing if it is None or the schema does not have it.
  template <class T>
  [[nodiscard]] std::optional<T> get(std::string_view name) const {
    const int i = schema_.find(name);
    if (i < 0) return std::nullopt;
    const auto* constant = std::get_if<Constant>(&context_->argument(std::size_t(i)));
    T value{};
    if (!constant || !treadle::detail::decode(*constant, value)) return std::nullopt;
    treadle::detail::fill_list(value, schema_.arguments[std::size_t(i)].list_size);
    return value;
  }
  template <class T>
  [[nodiscard]] T get(std::string_view name, T otherwise) const {
    return get<T>(name).value_or(otherwise);
  }
  /// A list of numbers, empty for None.
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const {
    return get<std::vector<std::int64_t>>(name).value_or(std::vector<std::int64_t>{});
  }

 private:
  [[nodiscard]] std::size_t count_tensors(std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < end; ++i) count += schema_.arguments[i].kind == SchemaKind::tensor;
    return count;
  }

  Schema schema_;
  PrepareContext<Backend>* context_;
};

/// A dimension number in [0, rank) from one that may be negative; 0-d tensors have dimension 0. The
/// shape rule has checked it.
[[nodiscard]] inline std::size_t wrap_dim(std::int64_t dim, std::size_t rank) noexcept {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank < 1 ? 1 : rank)
                                          : dim);
}

}  // namespace treadle::inline v0::cpu
