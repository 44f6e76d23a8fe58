// The one kernel behind every elementwise operator: it reads its call by a table entry.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/elementwise/element_op.hpp>
#include <treadle/cpu/elementwise/plan.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::cpu {

class ElementwisePlanner;

/// How an operator's arguments make a call of an elementwise function.
struct ElementwiseKernel {
  std::string_view schema;  ///< whole text, constant
  ElementOp op;
  /// One character an argument: `0`, `1`, `2` is that operand of the function; `b`, `c` is operand
  /// 1 or 2, which may be None; `p` is the next number among its parameters; anything else is left
  /// to `adjust`.
  std::string_view roles;
  bool in_floats = false;  ///< integers compute as floats
  /// Reads what the roles do not cover; may replace the function.
  Status (*adjust)(ElementwisePlanner& planner) = nullptr;
  bool narrows = false;  ///< the result may be of a lower category than the operands
};

/// Makes the plan of one call.
class ElementwisePlanner {
 public:
  ElementwisePlanner(const ElementwiseKernel& kernel, PrepareContext<Backend>& call)
      : op(kernel.op), context(call), kernel_(kernel) {}

  Result<ElementwisePlan> plan();

  /// Constant argument `i`, if it is of type `T`.
  template <class T>
  [[nodiscard]] const T* constant(std::size_t i) const noexcept {
    const auto* c = std::get_if<Constant>(&context.argument(i));
    return c ? std::get_if<T>(c) : nullptr;
  }
  /// A number given as argument `i`, nothing if it is None.
  [[nodiscard]] std::optional<Scalar> number(std::size_t i) const noexcept;
  /// Operand `j` if it is a number that never changes.
  [[nodiscard]] std::optional<Scalar> operand_number(std::size_t j) const noexcept;
  /// The layout of operand `j`, which is a tensor.
  [[nodiscard]] const TensorMeta& operand_meta(std::size_t j) const noexcept {
    return sources_[j].tensor.meta();
  }
  /// Operand `j` is read by another layout that starts `offset` bytes after the tensor's start.
  void set_operand_view(std::size_t j, TensorMeta meta, std::int64_t offset) {
    sources_[j].view = std::move(meta);
    sources_[j].offset = offset;
  }
  [[nodiscard]] bool has_operand(std::size_t j) const noexcept {
    return sources_[j].number || !sources_[j].tensor.is_none();
  }
  void move_operand(std::size_t from, std::size_t to) { sources_[to] = sources_[from]; }
  /// What a number becomes among narrow integers or halves: what it is in the operands' dtype.
  [[nodiscard]] Scalar in_common_dtype(const Scalar& value) const;
  /// The second operand is the first one.
  void repeat_first() noexcept { sources_[1] = sources_[0]; }

  ElementOp op;
  ElementParameters parameters;
  ComputeType compute = ComputeType::float32;
  DType promoted = DType::undefined;  ///< of the operands
  PrepareContext<Backend>& context;

 private:
  struct Source {
    TensorInfo<Backend> tensor;
    std::optional<Scalar> number;
    std::size_t slot = 0;
    std::optional<TensorMeta> view;
    std::int64_t offset = 0;

    [[nodiscard]] const TensorMeta& meta() const noexcept { return view ? *view : tensor.meta(); }
  };

  Status read_arguments();
  Status choose_compute_type();
  Result<ElementwisePlan> build();
  Status place_operand(ElementwisePlan& plan, std::size_t j);
  void set_number(ElementwisePlan::Operand& operand, const Scalar& value) const;
  [[nodiscard]] bool loses_digits(DType dtype) const noexcept;

  const ElementwiseKernel& kernel_;
  std::array<Source, ElementwisePlan::max_arity> sources_{};
  std::size_t tensor_count_ = 0;
  DType common_ = DType::undefined;  ///< what PyTorch converts the operands to
};

/// Registers operators by name with schemas from a table of definitions.
class ElementwiseTable {
 public:
  /// Both must outlive this.
  ElementwiseTable(std::span<const OpDef> definitions, KernelRegistry<Backend>& registry)
      : definitions_(definitions), registry_(registry) {}

  /// All overloads of this name; `kernel.schema` is filled in. A name with a dot is one overload.
  ElementwiseTable& add(std::string_view name, ElementwiseKernel kernel);
  ElementwiseTable& add(std::initializer_list<std::string_view> names,
                        const ElementwiseKernel& kernel) {
    for (const auto name : names) add(name, kernel);
    return *this;
  }
  /// Functions whose operands are the first arguments.
  ElementwiseTable& unary(std::initializer_list<std::string_view> names, const ElementOp& op,
                          bool in_floats = false) {
    return add(names, {{}, op, "0", in_floats, nullptr});
  }
  ElementwiseTable& binary(std::initializer_list<std::string_view> names, const ElementOp& op,
                           bool in_floats = false) {
    return add(names, {{}, op, "01", in_floats, nullptr});
  }

 private:
  std::span<const OpDef> definitions_;
  KernelRegistry<Backend>& registry_;
};

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/elementwise/kernel-inl.hpp>
#endif
