// What a shape rule sees and says: argument types in, result types out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/argument.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/ops/schema.hpp>
#include <treadle/symbolic/sym_int.hpp>

namespace treadle::inline v0 {

/// A tensor argument: its type, and whether it is a Python number that became a 0-d tensor, which
/// weighs less in type promotion. `type` is null for None.
struct TensorArgument {
  const TensorType* type = nullptr;
  bool wrapped_number = false;
};

/// A float or bool that may be an expression.
struct SymNumber {
  Expr expr;
};

/// What an argument is worth during inference. Integers are `SymInt`; other constants stay as they
/// are; lists of tensors, numbers or both are lists.
struct InferValue {
  using List = std::vector<InferValue>;

  InferValue() noexcept;
  InferValue(Constant v) noexcept;        // NOLINT: implicit on purpose
  InferValue(TensorArgument v) noexcept;  // NOLINT: implicit on purpose
  InferValue(SymInt v) noexcept;          // NOLINT: implicit on purpose
  InferValue(SymNumber v) noexcept;       // NOLINT: implicit on purpose
  InferValue(List v) noexcept;            // NOLINT: implicit on purpose
  InferValue(const InferValue& other);
  InferValue(InferValue&& other) noexcept;
  InferValue& operator=(const InferValue& other);
  InferValue& operator=(InferValue&& other) noexcept;
  ~InferValue();

  std::variant<Constant, TensorArgument, SymInt, SymNumber, List> data;
};

/// One result of a shape rule.
struct InferResult {
  TensorType type;
  /// The result is a view of this tensor's storage: position among the flattened tensor arguments
  /// (see `InferContext::tensor_position`), or -1 if the result is new memory.
  int view_of = -1;
};

/// What a shape rule works with. Arguments are addressed by their place in the schema and already
/// have defaults filled in; the typed readers return what the schema promises, which the caller has
/// checked. Sizes may be expressions, and they are plain numbers when a plan is made.
class InferContext {
 public:
  /// `arguments` is aligned with the schema's and must outlive the context.
  InferContext(const Schema& schema, const std::vector<InferValue>& arguments)
      : schema_(schema), arguments_(arguments) {}

  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }

  // --- arguments ---------------------------------------------------------------------------------
  [[nodiscard]] bool is_none(std::size_t i) const noexcept {
    const auto* c = std::get_if<Constant>(&arguments_[i].data);
    const auto* t = std::get_if<TensorArgument>(&arguments_[i].data);
    return (c && std::holds_alternative<None>(*c)) || (t && !t->type);
  }
  /// The type of a tensor argument that is not None.
  [[nodiscard]] const TensorType& tensor(std::size_t i) const noexcept {
    return *std::get<TensorArgument>(arguments_[i].data).type;
  }
  [[nodiscard]] TensorArgument tensor_argument(std::size_t i) const noexcept {
    const auto* t = std::get_if<TensorArgument>(&arguments_[i].data);
    return t ? *t : TensorArgument{};
  }
  /// The types of a tensor list, null for None items.
  [[nodiscard]] std::vector<const TensorType*> tensors(std::size_t i) const;
  /// Place of tensor argument `i` (item `item` of a list) among all tensors of the call, lists
  /// flattened, None counted: what `InferResult::view_of` means.
  [[nodiscard]] int tensor_position(std::size_t i, std::size_t item = 0) const;
  [[nodiscard]] SymInt integer(std::size_t i) const;
  [[nodiscard]] std::optional<SymInt> optional_integer(std::size_t i) const {
    return is_none(i) ? std::nullopt : std::optional(integer(i));
  }
  /// An integer list; a single number for `int[n]` is repeated n times. Empty for None.
  [[nodiscard]] SymDims integers(std::size_t i) const;
  [[nodiscard]] bool boolean(std::size_t i) const noexcept;
  [[nodiscard]] double real(std::size_t i) const noexcept;
  [[nodiscard]] std::vector<double> reals(std::size_t i) const;
  /// The category of a Scalar argument: what promotion asks of it.
  [[nodiscard]] DTypeCategory scalar_category(std::size_t i) const noexcept;
  [[nodiscard]] std::string_view string(std::size_t i) const noexcept {
    return *get<std::string>(i);
  }
  [[nodiscard]] std::optional<DType> dtype(std::size_t i) const noexcept {
    const auto* d = get<DType>(i);
    return d ? std::optional(*d) : std::nullopt;
  }
  [[nodiscard]] std::optional<Device> device(std::size_t i) const noexcept {
    const auto* d = get<Device>(i);
    return d ? std::optional(*d) : std::nullopt;
  }
  [[nodiscard]] MemoryFormat memory_format(std::size_t i, MemoryFormat otherwise) const noexcept {
    const auto* f = get<MemoryFormat>(i);
    return f ? *f : otherwise;
  }
  /// A known dimension number in [0, rank), from one that may be negative; a 0-d tensor counts as
  /// one dimension.
  [[nodiscard]] Result<std::size_t> dimension(std::size_t i, std::size_t rank) const {
    return wrap_dimension(integer(i), rank);
  }
  [[nodiscard]] Result<std::size_t> wrap_dimension(const SymInt& dim, std::size_t rank) const;

  // --- results -----------------------------------------------------------------------------------
  /// New memory of this type.
  void add(TensorType type);
  /// A view of tensor argument `i` (item of a list): same storage, other sizes, strides and offset.
  void add_view(TensorType type, std::size_t i, std::size_t item = 0);
  /// The argument itself.
  void add_alias(std::size_t i) { add_view(tensor(i), i); }
  /// Starts a list result; the following `count` results are its items.
  void begin_list(std::size_t count) { list_lengths_.push_back(count); }
  /// A size that only a run can tell; each call gives another symbol.
  [[nodiscard]] SymInt unknown_size();
  [[nodiscard]] const std::vector<InferResult>& results() const noexcept { return results_; }
  [[nodiscard]] std::vector<InferResult>& results() noexcept { return results_; }
  [[nodiscard]] const std::vector<std::size_t>& list_lengths() const noexcept {
    return list_lengths_;
  }

  /// A type error of this operator: `aten::mm: …`.
  template <class... Pieces>
  [[nodiscard]] Error fail(const Pieces&... pieces) const {
    const detail::Piece list[] = {pieces...};
    return detail::join_error(ErrorCode::type_mismatch, schema_.name, list, sizeof...(Pieces));
  }

 private:
  template <class T>
  [[nodiscard]] const T* get(std::size_t i) const noexcept {
    const auto* c = std::get_if<Constant>(&arguments_[i].data);
    return c ? std::get_if<T>(c) : nullptr;
  }

  const Schema& schema_;
  const std::vector<InferValue>& arguments_;
  std::vector<InferResult> results_;
  std::vector<std::size_t> list_lengths_;
  std::size_t unknown_sizes_ = 0;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/infer-inl.hpp>
#endif
