// Definitions of input checking.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <treadle/core/concat.hpp>
#include <treadle/exec/check_inputs.hpp>
#include <treadle/symbolic/bind.hpp>
#include <treadle/symbolic/guard.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Checks one program's inputs.
class InputChecker {
 public:
  InputChecker(const GraphModule& module, const std::vector<InputFacts>& inputs)
      : module_(module), inputs_(inputs) {}

  Result<Bindings> check() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto kind = module_.signature.inputs[i].kind;
      if (kind != InputKind::user_input) continue;
      TREADLE_CHECK(check_kind(i));
    }
    TREADLE_CHECK(bind_sizes());
    TREADLE_CHECK(check_ranges());
    TREADLE_CHECK(check_guards());
    return std::move(symbols_);
  }

 private:
  const GraphValue& value(std::size_t i) const {
    return module_.graph.value(module_.graph.inputs()[i]);
  }
  std::string label(std::size_t i) const {
    return concat("input '", module_.signature.inputs[i].name, "'");
  }
  Error wrong(std::size_t i, std::string_view what, const std::string& expected,
              const std::string& found) const {
    return {ErrorCode::invalid_argument,
            concat(label(i), ": ", what, " is ", found, ", expected ", expected)};
  }

  Status check_kind(std::size_t i) {
    const ValueId id = module_.graph.inputs()[i];
    if (!id.valid()) return {};
    const auto& type = value(i).tensor;
    if (!type) return check_number(i);
    if (!inputs_[i].meta) return wrong(i, "the value", "a tensor", "not one");
    const TensorMeta& meta = *inputs_[i].meta;
    if (meta.dtype != type->dtype)
      return wrong(i, "the dtype", std::string(name(type->dtype)), std::string(name(meta.dtype)));
    if (meta.rank() != type->rank())
      return wrong(i, "the rank", concat(type->rank(), " (", describe_sizes(*type), ")"),
                   concat(meta.rank(), " (", to_string(meta), ")"));
    return {};
  }
  Status check_number(std::size_t i) {
    const auto kind = value(i).kind;
    const auto& number = inputs_[i].number;
    const bool wanted =
        kind == ValueKind::sym_int || kind == ValueKind::sym_float || kind == ValueKind::sym_bool;
    if (wanted && !number) return wrong(i, "the value", "a number", "not one");
    if (kind == ValueKind::sym_int && number->is_real())
      return wrong(i, "the value", "an integer", to_string(*number));
    return {};
  }
  static std::string describe_sizes(const TensorType& type) {
    std::string text = "[";
    for (const auto& size : type.sizes)
      text += concat(text.size() > 1 ? ", " : "", to_string(size));
    return text + "]";
  }

  /// Sizes that are sums wait until their other symbols are bound.
  Status bind_sizes() {
    bool open = true;
    for (int round = 0; open && round < 8; ++round) {
      open = false;
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (module_.signature.inputs[i].kind != InputKind::user_input ||
            !module_.graph.inputs()[i].valid())
          continue;
        TREADLE_TRY(const bool done, bind_input(i));
        open |= !done;
      }
    }
    return {};
  }
  Result<bool> bind_input(std::size_t i) {
    bool done = true;
    const GraphValue& v = value(i);
    if (!v.tensor) {
      if (v.symbolic && inputs_[i].number && inputs_[i].number->is_integer()) {
        auto bound = bind(SymInt(v.symbolic), inputs_[i].number->integer, symbols_);
        if (!bound) return std::move(bound).with_context(label(i)).error();
        return *bound;
      }
      return true;
    }
    const TensorMeta& meta = *inputs_[i].meta;
    for (std::size_t d = 0; d < meta.rank(); ++d) {
      const SymInt& size = v.tensor->sizes[d];
      if (size.known() && !size.is(meta.sizes[d]))
        return wrong(i, concat("size ", d), to_string(size), concat(meta.sizes[d]));
      auto bound = bind(size, meta.sizes[d], symbols_);
      if (!bound) return std::move(bound).with_context(concat(label(i), ": size ", d)).error();
      done = done && *bound;
    }
    return done;
  }

  Status check_ranges() const {
    for (const auto& [symbol, range] : module_.ranges) {
      const auto* actual = symbols_.find(symbol);
      if (!actual) continue;
      // Exporters start open sizes at 2, but PyTorch takes 0 and 1 for them, and so do we.
      const bool small = range.minimum && *range.minimum <= 2 && *actual >= 0;
      if ((range.minimum && *actual < *range.minimum && !small) ||
          (range.maximum && *actual > *range.maximum))
        return Error(
            ErrorCode::invalid_argument,
            concat("size ", symbol, uses_of(symbol), " is ", *actual, ", the program takes ",
                   bound_text(range.minimum, "-inf"), " to ", bound_text(range.maximum, "inf")));
    }
    return {};
  }
  static std::string bound_text(const std::optional<std::int64_t>& bound,
                                std::string_view otherwise) {
    return bound ? concat(*bound) : std::string(otherwise);
  }
  /// ` (dimension 0 of input 'x')`.
  std::string uses_of(std::string_view symbol) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!module_.graph.inputs()[i].valid() || !value(i).tensor) continue;
      const auto& sizes = value(i).tensor->sizes;
      for (std::size_t d = 0; d < sizes.size(); ++d)
        if (!sizes[d].known() && to_string(sizes[d]) == symbol)
          return concat(" (dimension ", d, " of ", label(i), ")");
    }
    return {};
  }

  // --- guards ------------------------------------------------------------------------------------
  Status check_guards() {
    for (const auto& text : module_.guards) {
      const auto guard = parse_guard(text);
      if (!guard) continue;
      Bindings sources;
      bool known = true;
      for (const auto& source : guard->sources) {
        const auto value = read(source.reference);
        known = known && value;
        if (value) sources.set(source.symbol, *value);
      }
      if (!known) continue;
      const auto holds = evaluate(guard->condition, sources);
      if (holds && !holds->truthy())
        return Error(ErrorCode::invalid_argument,
                     concat("the inputs break what the program was exported for: ", text));
    }
    return {};
  }

  std::optional<std::int64_t> read(const SourceReference& source) const {
    const auto leaf = find_leaf(source);
    if (!leaf) return std::nullopt;
    const auto position = user_position(*leaf);
    if (!position) return std::nullopt;
    const auto& input = inputs_[*position];
    if (source.what == SourceReference::What::value) {
      if (!input.number || !input.number->is_integer()) return std::nullopt;
      return input.number->integer;
    }
    if (!input.meta) return std::nullopt;
    if (source.what == SourceReference::What::storage_offset) return std::nullopt;
    const auto d = static_cast<std::size_t>(source.dimension);
    if (d >= input.meta->rank()) return std::nullopt;
    return source.what == SourceReference::What::size ? input.meta->sizes[d]
                                                      : input.meta->strides[d];
  }

  std::optional<std::size_t> user_position(std::size_t leaf) const {
    for (std::size_t i = 0; i < module_.signature.inputs.size(); ++i) {
      const auto kind = module_.signature.inputs[i].kind;
      if (kind != InputKind::user_input && kind != InputKind::constant_input) continue;
      if (leaf-- == 0) return i;
    }
    return std::nullopt;
  }

  /// The flat number of the leaf that a path leads to.
  std::optional<std::size_t> find_leaf(const SourceReference& source) const {
    const TreeSpec& spec = module_.signature.in_spec;
    if (source.path.empty() || spec.children.size() != 2) return std::nullopt;
    const auto& names = module_.signature.argument_names;
    const TreeSpec& args = spec.children[0];
    const TreeSpec& kwargs = spec.children[1];
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < args.children.size(); ++i) {
      if (i < names.size() && names[i] == source.path[0].name)
        return descend(args.children[i], source, 1, leaf);
      leaf += leaf_count(args.children[i]);
    }
    for (std::size_t i = 0; i < kwargs.children.size(); ++i) {
      const auto* key =
          i < kwargs.keys.size() ? std::get_if<std::string>(&kwargs.keys[i]) : nullptr;
      if (key && *key == source.path[0].name) return descend(kwargs.children[i], source, 1, leaf);
      leaf += leaf_count(kwargs.children[i]);
    }
    return std::nullopt;
  }
  static std::optional<std::size_t> descend(const TreeSpec& spec, const SourceReference& source,
                                            std::size_t at, std::size_t leaf) {
    if (at == source.path.size())
      return spec.kind == TreeKind::leaf ? std::optional(leaf) : std::nullopt;
    const PathElement& element = source.path[at];
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
      const bool by_key = i < spec.keys.size();
      const bool here = by_key ? (std::holds_alternative<std::string>(spec.keys[i])
                                      ? std::get<std::string>(spec.keys[i]) == element.name
                                      : std::get<std::int64_t>(spec.keys[i]) == element.index)
                               : static_cast<std::int64_t>(i) == element.index;
      if (here) return descend(spec.children[i], source, at + 1, leaf);
      leaf += leaf_count(spec.children[i]);
    }
    return std::nullopt;
  }

  const GraphModule& module_;
  const std::vector<InputFacts>& inputs_;
  Bindings symbols_;
};

}  // namespace detail

TREADLE_INLINE Result<Bindings> check_inputs(const GraphModule& module,
                                             const std::vector<InputFacts>& inputs) {
  return detail::InputChecker(module, inputs).check();
}

}  // namespace treadle::inline v0
