// Fits a kernel to a schema at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/kernel/decode.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {

/// A text as a template argument.
template <std::size_t Size>
struct FixedString {
  char text[Size] = {};

  constexpr FixedString(const char (&literal)[Size]) noexcept {  // NOLINT: implicit on purpose
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text, Size - 1}; }
};

namespace detail {

/// The parameters of a kernel, in order: the schema's arguments without generators, then its
/// results without those that are a written argument.
struct ParameterList {
  struct Item {
    bool is_result = false;
    std::size_t index = 0;
  };
  std::array<Item, Schema::max_arguments + Schema::max_results> items{};
  std::size_t size = 0;
  bool has_tensor_lists = false;
};

constexpr ParameterList list_parameters(const Schema& schema, bool tensors_only) noexcept {
  ParameterList list;
  for (std::size_t i = 0; i < schema.argument_count; ++i) {
    const auto& argument = schema.arguments[i];
    const bool tensor = argument.kind == SchemaKind::tensor;
    if (tensor && argument.list) list.has_tensor_lists = true;
    if (argument.kind == SchemaKind::generator || (tensors_only && !tensor)) continue;
    list.items[list.size++] = {false, i};
  }
  for (std::size_t i = 0; i < schema.result_count; ++i)
    if (!schema.results[i].writes && schema.results[i].kind == SchemaKind::tensor)
      list.items[list.size++] = {true, i};
  return list;
}

/// How many tensors precede this argument or result in a call without tensor lists.
constexpr std::size_t static_position(const Schema& schema, ParameterList::Item item) noexcept {
  std::size_t position = 0;
  const std::size_t arguments = item.is_result ? schema.argument_count : item.index;
  for (std::size_t i = 0; i < arguments; ++i)
    if (schema.arguments[i].kind == SchemaKind::tensor) ++position;
  return item.is_result ? position + item.index : position;
}

/// A kernel class has `prepare`, which may be a template; a plain callable has not.
template <class Kernel>
concept TwoPhaseKernel = std::is_class_v<Kernel> && requires { typename Kernel::Prepared; };

/// The thunks between the uniform call and a kernel's own parameters.
template <TensorBackend Backend, FixedString SchemaText, class Kernel>
class KernelBinding {
  using Tensor = typename Backend::Tensor;
  using Info = TensorInfo<Backend>;

  static constexpr Schema schema = parse_schema(SchemaText.view());
  static_assert(schema.error.empty(), "treadle: this kernel's schema text is malformed");
  static constexpr bool two_phase = TwoPhaseKernel<Kernel>;
  static constexpr ParameterList parameters = list_parameters(schema, false);
  static constexpr ParameterList run_parameters = list_parameters(schema, two_phase);
  static constexpr std::size_t tensor_slots = schema.argument_count + schema.result_count;

  /// First tensor and number of tensors of each argument and result.
  struct Positions {
    std::array<std::uint32_t, tensor_slots> first{}, count{};
  };

  static constexpr const SchemaArgument& of(ParameterList::Item item) noexcept {
    return item.is_result ? schema.results[item.index] : schema.arguments[item.index];
  }
  static constexpr bool is_tensor(ParameterList::Item item) noexcept {
    return of(item).kind == SchemaKind::tensor;
  }

  template <std::size_t Index>
  static auto stored_type() {
    constexpr auto argument = schema.arguments[Index];
    if constexpr (argument.kind == SchemaKind::tensor || argument.kind == SchemaKind::generator)
      return std::monostate{};
    else
      return typename MaybeOptional<PlainTypes<argument.kind, argument.list>,
                                    argument.optional>::Stored{};
  }
  template <std::size_t... Index>
  static auto stored_tuple(std::index_sequence<Index...>) {
    return std::tuple<decltype(stored_type<Index>())...>{};
  }
  using Stored = decltype(stored_tuple(std::make_index_sequence<schema.argument_count>{}));

  // --- parameters of a run
  // -------------------------------------------------------------------------
  template <std::size_t Parameter>
  static decltype(auto) run_parameter(const Stored* stored, const Positions& positions,
                                      Tensor* const* tensors) {
    constexpr auto item = run_parameters.items[Parameter];
    constexpr auto argument = of(item);
    if constexpr (argument.kind != SchemaKind::tensor) {
      return as_parameter(std::get<item.index>(*stored));
    } else if constexpr (run_parameters.has_tensor_lists || argument.list) {
      constexpr std::size_t slot = item.is_result ? schema.argument_count + item.index : item.index;
      return tensor_parameter<item>(tensors + positions.first[slot], positions.count[slot]);
    } else {
      return tensor_parameter<item>(tensors + static_position(schema, item), 1);
    }
  }

  template <ParameterList::Item item>
  static decltype(auto) tensor_parameter(Tensor* const* first, std::size_t count) {
    constexpr auto argument = of(item);
    if constexpr (argument.list && item.is_result) {
      return std::span<Tensor* const>(first, count);
    } else if constexpr (argument.list) {
      return std::span<const Tensor* const>(first, count);
    } else if constexpr (item.is_result || argument.writes) {
      return static_cast<Tensor&>(**first);
    } else if constexpr (argument.optional) {
      return static_cast<const Tensor*>(*first);
    } else {
      return static_cast<const Tensor&>(**first);
    }
  }

  // --- parameters of prepare
  // -----------------------------------------------------------------------
  template <std::size_t Parameter>
  static decltype(auto) prepare_parameter(const Stored& stored, const Positions& positions,
                                          PrepareContext<Backend>& context) {
    constexpr auto item = parameters.items[Parameter];
    constexpr auto argument = of(item);
    if constexpr (argument.kind != SchemaKind::tensor) {
      return as_parameter(std::get<item.index>(stored));
    } else if constexpr (item.is_result) {
      constexpr std::size_t slot = schema.argument_count + item.index;
      const std::size_t at = positions.first[slot] - positions.first[schema.argument_count];
      if constexpr (argument.list)
        return context.results().subspan(at, positions.count[slot]);
      else
        return static_cast<const Info&>(context.results()[at]);
    } else if constexpr (argument.list) {
      return std::span<const Info>(std::get<std::vector<Info>>(context.argument(item.index)));
    } else {
      return static_cast<const Info&>(std::get<Info>(context.argument(item.index)));
    }
  }

  // --- decoding
  // ------------------------------------------------------------------------------------
  template <std::size_t Index>
  static Status decode_one(const PrepareContext<Backend>& context, Stored& stored) {
    constexpr auto argument = schema.arguments[Index];
    if constexpr (argument.kind == SchemaKind::generator) {
      return {};
    } else if constexpr (argument.kind == SchemaKind::tensor) {
      const bool fits = argument.list
                            ? std::holds_alternative<std::vector<Info>>(context.argument(Index))
                            : std::holds_alternative<Info>(context.argument(Index));
      if (fits) return {};
      return context.fail("argument '", argument.name, "' must be ",
                          argument.list ? "a list of tensors" : "a tensor");
    } else {
      const auto* constant = std::get_if<Constant>(&context.argument(Index));
      if (!constant || !decode(*constant, std::get<Index>(stored)))
        return context.fail("argument '", argument.name, "' has a type that its schema does not");
      fill_list(std::get<Index>(stored), argument.list_size);
      return {};
    }
  }
  template <std::size_t... Index>
  static Status decode_all(const PrepareContext<Backend>& context, Stored& stored,
                           std::index_sequence<Index...>) {
    Status status;
    static_cast<void>(((status = decode_one<Index>(context, stored)).has_value() && ...));
    return status;
  }

  static Result<Positions> locate(const PrepareContext<Backend>& context) {
    Positions positions;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < schema.argument_count; ++i) {
      const auto* list = std::get_if<std::vector<Info>>(&context.argument(i));
      positions.first[i] = next;
      positions.count[i] = list ? static_cast<std::uint32_t>(list->size())
                                : (schema.arguments[i].kind == SchemaKind::tensor ? 1u : 0u);
      next += positions.count[i];
    }
    const std::size_t available = context.results().size();
    std::size_t singles = 0;
    for (std::size_t i = 0; i < schema.result_count; ++i)
      singles += !schema.results[i].list && !schema.results[i].writes;
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < schema.result_count; ++i) {
      if (schema.results[i].writes) continue;  // the written argument: no place of its own
      const std::size_t slot = schema.argument_count + i;
      positions.first[slot] = next + used;
      // At most one result of a schema is a list; it takes what the single ones leave.
      positions.count[slot] = schema.results[i].list && available >= singles
                                  ? static_cast<std::uint32_t>(available - singles)
                                  : 1u;
      used += positions.count[slot];
    }
    if (used != available) return context.fail("expected ", used, " results, found ", available);
    return positions;
  }

  // --- phases
  // --------------------------------------------------------------------------------------
  template <std::size_t... Parameter>
  static Status call(const Kernel& kernel, RunContext<Backend>& context, const Stored* stored,
                     const Positions& positions, Tensor* const* tensors,
                     std::index_sequence<Parameter...>) {
    static_assert(
        std::is_invocable_r_v<Status, const Kernel&, RunContext<Backend>&,
                              decltype(run_parameter<Parameter>(stored, positions, tensors))...>,
        "treadle: a kernel must be callable as Status(RunContext<Backend>&, the schema's arguments "
        "in "
        "order, its results), with the types that KernelRegistry::add lists");
    return kernel(context, run_parameter<Parameter>(stored, positions, tensors)...);
  }
  template <class Prepared, std::size_t... Parameter>
  static Status call_run(const Kernel& kernel, const Prepared& prepared,
                         RunContext<Backend>& context, const Positions& positions,
                         Tensor* const* tensors, std::index_sequence<Parameter...>) {
    static_assert(
        requires {
          {
            kernel.run(prepared, context, run_parameter<Parameter>(nullptr, positions, tensors)...)
          } -> std::convertible_to<Status>;
        },
        "treadle: a kernel's run must be callable as Status(const Prepared&, RunContext<Backend>&, "
        "the "
        "schema's tensor arguments in order, its results), with the types that KernelRegistry::add "
        "lists");
    return kernel.run(prepared, context, run_parameter<Parameter>(nullptr, positions, tensors)...);
  }
  template <std::size_t... Parameter>
  static auto call_prepare(const Kernel& kernel, PrepareContext<Backend>& context,
                           const Stored& stored, const Positions& positions,
                           std::index_sequence<Parameter...>) {
    static_assert(
        requires {
          kernel.prepare(context, prepare_parameter<Parameter>(stored, positions, context)...);
        },
        "treadle: a kernel's prepare must be callable as "
        "Result<Prepared>(PrepareContext<Backend>&, "
        "the schema's arguments in order, its results), with the types that KernelRegistry::add "
        "lists");
    return kernel.prepare(context, prepare_parameter<Parameter>(stored, positions, context)...);
  }

  struct OnePhase {
    const Kernel* kernel;
    Positions positions;
    Stored stored;
  };
  template <class Prepared>
  struct TwoPhase {
    const Kernel* kernel;
    Positions positions;
    Prepared prepared;
  };
  using Arguments = std::make_index_sequence<schema.argument_count>;
  using RunParameters = std::make_index_sequence<run_parameters.size>;
  using PrepareParameters = std::make_index_sequence<parameters.size>;

  static auto prepare_kernel(const Kernel& kernel, PrepareContext<Backend>& context,
                             const Stored& stored, const Positions& positions) {
    return call_prepare(kernel, context, stored, positions, PrepareParameters{});
  }

 public:
  static Result<std::shared_ptr<const void>> prepare(const void* object,
                                                     PrepareContext<Backend>& context) {
    const auto& kernel = *static_cast<const Kernel*>(object);
    TREADLE_TRY(const auto positions, locate(context));
    Stored stored;
    TREADLE_CHECK(decode_all(context, stored, Arguments{}));
    if constexpr (two_phase) {
      using Prepared = typename Kernel::Prepared;
      TREADLE_TRY(auto prepared, prepare_kernel(kernel, context, stored, positions));
      return std::shared_ptr<const void>(std::make_shared<const TwoPhase<Prepared>>(
          TwoPhase<Prepared>{&kernel, positions, std::move(prepared)}));
    } else {
      return std::shared_ptr<const void>(
          std::make_shared<const OnePhase>(OnePhase{&kernel, positions, std::move(stored)}));
    }
  }

  static Status run(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
    if constexpr (two_phase) {
      const auto& bound = *static_cast<const TwoPhase<typename Kernel::Prepared>*>(state);
      return call_run(*bound.kernel, bound.prepared, context, bound.positions, tensors,
                      RunParameters{});
    } else {
      const auto& bound = *static_cast<const OnePhase*>(state);
      return call(*bound.kernel, context, &bound.stored, bound.positions, tensors, RunParameters{});
    }
  }
};

}  // namespace detail
}  // namespace treadle::inline v0
