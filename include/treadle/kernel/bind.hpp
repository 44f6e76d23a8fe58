// Fits a kernel to a schema at compile time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/erased.hpp>
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

/// What binding a kernel needs to know of one argument or result: its type.
struct ParameterType {
  SchemaKind kind = SchemaKind::other;
  bool list = false;
  bool optional = false;
  bool writes = false;
};

/// The types of a schema without its names and defaults: kernels of operators that look alike share
/// one binding, under a short symbol.
template <std::size_t Arguments, std::size_t Results>
struct CallShape {
  static constexpr std::size_t argument_count = Arguments;
  static constexpr std::size_t result_count = Results;

  ParameterType arguments[Arguments + 1];
  ParameterType results[Results + 1];
};

consteval ParameterType type_of(const SchemaArgument& argument) {
  return {argument.kind, argument.list, argument.optional, argument.writes};
}

template <FixedString SchemaText>
consteval auto call_shape() {
  constexpr Schema schema = parse_schema(SchemaText.view());
  static_assert(schema.error.empty(), "treadle: this kernel's schema text is malformed");
  CallShape<schema.argument_count, schema.result_count> shape{};
  for (std::size_t i = 0; i < schema.argument_count; ++i)
    shape.arguments[i] = type_of(schema.arguments[i]);
  for (std::size_t i = 0; i < schema.result_count; ++i)
    shape.results[i] = type_of(schema.results[i]);
  return shape;
}

/// One parameter of a kernel: an argument of the schema or a result.
struct ParameterItem {
  bool is_result = false;
  std::size_t index = 0;
};

/// The parameters of a kernel, in order: the schema's arguments without generators, then its
/// results without those that are a written argument.
template <std::size_t Most>
struct ParameterList {
  ParameterItem items[Most + 1];
  std::size_t size = 0;
  bool has_tensor_lists = false;
};

template <std::size_t Arguments, std::size_t Results>
consteval auto list_parameters(const CallShape<Arguments, Results>& shape, bool tensors_only) {
  ParameterList<Arguments + Results> list{};
  for (std::size_t i = 0; i < Arguments; ++i) {
    const auto& argument = shape.arguments[i];
    const bool tensor = argument.kind == SchemaKind::tensor;
    if (tensor && argument.list) list.has_tensor_lists = true;
    if (argument.kind == SchemaKind::generator || (tensors_only && !tensor)) continue;
    list.items[list.size++] = {false, i};
  }
  for (std::size_t i = 0; i < Results; ++i)
    if (!shape.results[i].writes && shape.results[i].kind == SchemaKind::tensor)
      list.items[list.size++] = {true, i};
  return list;
}

/// How many tensors precede this argument or result in a call without tensor lists.
template <std::size_t Arguments, std::size_t Results>
consteval std::size_t static_position(const CallShape<Arguments, Results>& shape,
                                      ParameterItem item) {
  std::size_t position = 0;
  const std::size_t arguments = item.is_result ? Arguments : item.index;
  for (std::size_t i = 0; i < arguments; ++i)
    if (shape.arguments[i].kind == SchemaKind::tensor) ++position;
  return item.is_result ? position + item.index : position;
}

/// A kernel class has `prepare`, which may be a template; a plain callable has not.
template <class Kernel>
concept TwoPhaseKernel = std::is_class_v<Kernel> && requires { typename Kernel::Prepared; };

/// Where the tensors of one argument or result stand in a call, lists flattened.
struct TensorRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// What one call gives a kernel, apart from its tensors.
struct CallBinding {
  std::vector<TensorRange> ranges;         ///< one for each argument, then one for each result
  std::vector<DecodedArgument> arguments;  ///< one for each argument, empty for tensors
};

/// Finds the tensors of a call. `ranges` has the size of `CallBinding::ranges`.
template <TensorBackend Backend>
Status locate_tensors(const Schema& schema, const PrepareContext<Backend>& context,
                      std::span<TensorRange> ranges) {
  using InfoList = std::vector<TensorInfo<Backend>>;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < schema.argument_count; ++i) {
    const auto* list = std::get_if<InfoList>(&context.argument(i));
    const std::uint32_t single = schema.arguments[i].kind == SchemaKind::tensor ? 1 : 0;
    ranges[i] = {next, list ? static_cast<std::uint32_t>(list->size()) : single};
    next += ranges[i].count;
  }
  const std::size_t available = context.results().size();
  std::size_t singles = 0;
  for (std::size_t i = 0; i < schema.result_count; ++i)
    singles += !schema.results[i].list && !schema.results[i].writes;
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < schema.result_count; ++i) {
    const SchemaArgument& result = schema.results[i];
    if (result.writes) continue;  // the written argument: no place of its own
    // At most one result of a schema is a list; it takes what the single ones leave.
    const std::size_t count = result.list && available >= singles ? available - singles : 1;
    ranges[schema.argument_count + i] = {next + used, static_cast<std::uint32_t>(count)};
    used += static_cast<std::uint32_t>(count);
  }
  if (used != available) return context.fail("expected ", used, " results, found ", available);
  return {};
}

/// Checks that tensors are given where the schema wants tensors, decodes everything else, and finds
/// the tensors. `schema_text` is well-formed.
template <TensorBackend Backend>
Status bind_call(std::string_view schema_text, const PrepareContext<Backend>& context,
                 CallBinding& call) {
  using Info = TensorInfo<Backend>;
  const Schema schema = parse_schema(schema_text);
  call.ranges.resize(schema.argument_count + schema.result_count);
  TREADLE_CHECK(locate_tensors(schema, context, call.ranges));
  call.arguments.reserve(schema.argument_count);
  for (std::size_t i = 0; i < schema.argument_count; ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    const KernelArgument<Backend>& given = context.argument(i);
    DecodedArgument& decoded = call.arguments.emplace_back();
    if (argument.kind == SchemaKind::generator) continue;
    if (argument.kind == SchemaKind::tensor) {
      const bool fits = argument.list ? std::holds_alternative<std::vector<Info>>(given)
                                      : std::holds_alternative<Info>(given);
      if (!fits)
        return context.fail("argument '", argument.name, "' must be ",
                            argument.list ? "a list of tensors" : "a tensor");
      continue;
    }
    const auto* constant = std::get_if<Constant>(&given);
    if (!constant || !decode_argument(argument, *constant, decoded))
      return context.fail("argument '", argument.name, "' has a type that its schema does not");
  }
  return {};
}

/// What the registry keeps of a kernel but itself.
template <TensorBackend Backend>
struct RegisteredCall {
  /// Makes what a two-phase kernel prepares; null for a plain callable.
  using Make = Status (*)(const RegisteredCall& kernel, PrepareContext<Backend>& context,
                          const CallBinding& call, Erased& prepared);

  std::string_view schema;
  Make make = nullptr;
};
template <TensorBackend Backend, class Kernel>
struct RegisteredKernel : RegisteredCall<Backend> {
  Kernel kernel;
};

/// A kernel with all that a run gives it besides tensors.
template <TensorBackend Backend>
struct BoundCall {
  const RegisteredCall<Backend>* kernel;
  CallBinding call;
  Erased prepared;  ///< null for a plain callable
};

/// `KernelEntry::prepare` of every kernel that is bound to a schema.
template <TensorBackend Backend>
Result<Erased> prepare_call(const void* object, PrepareContext<Backend>& context) {
  const auto* kernel = static_cast<const RegisteredCall<Backend>*>(object);
  BoundCall<Backend> bound{kernel, {}, nullptr};
  TREADLE_CHECK(bind_call(kernel->schema, context, bound.call));
  if (kernel->make) {
    TREADLE_CHECK(kernel->make(*kernel, context, bound.call, bound.prepared));
    bound.call.arguments.clear();  // the run sees tensors only
  }
  return make_erased(std::move(bound));
}

/// The thunks between the uniform call and a kernel's own parameters.
template <TensorBackend Backend, auto Shape, class Kernel>
class KernelBinding {
  using Registered = RegisteredKernel<Backend, Kernel>;
  using Tensor = typename Backend::Tensor;
  using Info = TensorInfo<Backend>;

  static constexpr std::size_t argument_count = Shape.argument_count;
  static constexpr bool two_phase = TwoPhaseKernel<Kernel>;
  static constexpr auto parameters = list_parameters(Shape, false);
  static constexpr auto run_parameters = list_parameters(Shape, two_phase);

  static constexpr ParameterType of(ParameterItem item) noexcept {
    return item.is_result ? Shape.results[item.index] : Shape.arguments[item.index];
  }
  static constexpr std::size_t slot(ParameterItem item) noexcept {
    return item.is_result ? argument_count + item.index : item.index;
  }

  template <std::size_t Index>
  static decltype(auto) decoded(const CallBinding& call) {
    constexpr ParameterType type = Shape.arguments[Index];
    return as_parameter<PlainTypes<type.kind, type.list>, type.optional>(call.arguments[Index]);
  }

  // --- parameters of a run -----------------------------------------------------------------------
  template <std::size_t Parameter>
  static decltype(auto) run_parameter(const CallBinding& call, Tensor* const* tensors) {
    constexpr ParameterItem item = run_parameters.items[Parameter];
    constexpr ParameterType type = of(item);
    if constexpr (type.kind != SchemaKind::tensor) {
      return decoded<item.index>(call);
    } else if constexpr (run_parameters.has_tensor_lists || type.list) {
      const TensorRange range = call.ranges[slot(item)];
      return tensor_parameter<item.is_result, type>(tensors + range.first, range.count);
    } else {
      return tensor_parameter<item.is_result, type>(tensors + static_position(Shape, item), 1);
    }
  }

  template <bool IsResult, ParameterType Type>
  static decltype(auto) tensor_parameter(Tensor* const* first, std::size_t count) {
    if constexpr (Type.list && IsResult) {
      return std::span<Tensor* const>(first, count);
    } else if constexpr (Type.list) {
      return std::span<const Tensor* const>(first, count);
    } else if constexpr (IsResult || Type.writes) {
      return static_cast<Tensor&>(**first);
    } else if constexpr (Type.optional) {
      return static_cast<const Tensor*>(*first);
    } else {
      return static_cast<const Tensor&>(**first);
    }
  }

  // --- parameters of prepare ---------------------------------------------------------------------
  template <std::size_t Parameter>
  static decltype(auto) prepare_parameter(const CallBinding& call,
                                          PrepareContext<Backend>& context) {
    constexpr ParameterItem item = parameters.items[Parameter];
    constexpr ParameterType type = of(item);
    if constexpr (type.kind != SchemaKind::tensor) {
      return decoded<item.index>(call);
    } else if constexpr (item.is_result) {
      const std::size_t at = call.ranges[slot(item)].first - call.ranges[argument_count].first;
      if constexpr (type.list)
        return context.results().subspan(at, call.ranges[slot(item)].count);
      else
        return static_cast<const Info&>(context.results()[at]);
    } else if constexpr (type.list) {
      return std::span<const Info>(std::get<std::vector<Info>>(context.argument(item.index)));
    } else {
      return static_cast<const Info&>(std::get<Info>(context.argument(item.index)));
    }
  }

  // --- phases ------------------------------------------------------------------------------------
  template <std::size_t... Parameter>
  static Status call_kernel(const Kernel& kernel, RunContext<Backend>& context,
                            const CallBinding& call, Tensor* const* tensors,
                            std::index_sequence<Parameter...>) {
    static_assert(
        std::is_invocable_r_v<Status, const Kernel&, RunContext<Backend>&,
                              decltype(run_parameter<Parameter>(call, tensors))...>,
        "treadle: a kernel must be callable as Status(RunContext<Backend>&, the schema's arguments "
        "in "
        "order, its results), with the types that KernelRegistry::add lists");
    return kernel(context, run_parameter<Parameter>(call, tensors)...);
  }
  template <class Prepared, std::size_t... Parameter>
  static Status call_run(const Kernel& kernel, const Prepared& prepared,
                         RunContext<Backend>& context, const CallBinding& call,
                         Tensor* const* tensors, std::index_sequence<Parameter...>) {
    static_assert(
        requires {
          {
            kernel.run(prepared, context, run_parameter<Parameter>(call, tensors)...)
          } -> std::convertible_to<Status>;
        },
        "treadle: a kernel's run must be callable as Status(const Prepared&, RunContext<Backend>&, "
        "the "
        "schema's tensor arguments in order, its results), with the types that KernelRegistry::add "
        "lists");
    return kernel.run(prepared, context, run_parameter<Parameter>(call, tensors)...);
  }
  template <std::size_t... Parameter>
  static auto call_prepare(const Kernel& kernel, PrepareContext<Backend>& context,
                           const CallBinding& call, std::index_sequence<Parameter...>) {
    static_assert(
        requires { kernel.prepare(context, prepare_parameter<Parameter>(call, context)...); },
        "treadle: a kernel's prepare must be callable as "
        "Result<Prepared>(PrepareContext<Backend>&, "
        "the schema's arguments in order, its results), with the types that KernelRegistry::add "
        "lists");
    return kernel.prepare(context, prepare_parameter<Parameter>(call, context)...);
  }

  using RunParameters = std::make_index_sequence<run_parameters.size>;
  using PrepareParameters = std::make_index_sequence<parameters.size>;

  static Status make(const RegisteredCall<Backend>& registered, PrepareContext<Backend>& context,
                     const CallBinding& call, Erased& prepared) {
    const Kernel& kernel = static_cast<const Registered&>(registered).kernel;
    auto made = call_prepare(kernel, context, call, PrepareParameters{});
    if (!made) return std::move(made).error();
    prepared = make_erased(*std::move(made));
    return {};
  }

 public:
  [[nodiscard]] static Registered register_as(std::string_view schema, Kernel kernel) {
    if constexpr (two_phase)
      return {{schema, &make}, std::move(kernel)};
    else
      return {{schema, nullptr}, std::move(kernel)};
  }

  /// `KernelEntry::run` of this kernel.
  static Status run(const void* state, RunContext<Backend>& context, Tensor* const* tensors) {
    const auto& bound = *static_cast<const BoundCall<Backend>*>(state);
    const Kernel& kernel = static_cast<const Registered*>(bound.kernel)->kernel;
    if constexpr (two_phase)
      return call_run(kernel, *static_cast<const typename Kernel::Prepared*>(bound.prepared.get()),
                      context, bound.call, tensors, RunParameters{});
    else
      return call_kernel(kernel, context, bound.call, tensors, RunParameters{});
  }
};

}  // namespace detail
}  // namespace treadle::inline v0
