// Reads arguments of nodes.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/function_ref.hpp>
#include <treadle/exported/target.hpp>
#include <treadle/exported/value_scope.hpp>

namespace treadle::inline v0::detail {

/// Turns the variants of the schema's argument union into arguments.
class ArgumentDecoder {
 public:
  using SubgraphReader = FunctionRef<bool(JsonValue, Argument&)>;

  ArgumentDecoder(TypeDecoder& types, ValueScope& scope, SubgraphReader subgraph)
      : types_(types), scope_(scope), subgraph_(subgraph) {}

  /// `tag` is the member of the union that is not null.
  [[nodiscard]] bool decode(JsonValue tag, Argument& out) {
    const std::string_view key = tag.key();
    std::string_view name;
    ValueKind kind = ValueKind::none;
    if (!scope_.name_in(tag, name, kind)) return false;
    if (kind != ValueKind::none) return use(name, kind, out);
    if (key == "as_none") return out = Constant(None{}), true;
    if (key.ends_with('s')) return decode_list(tag, key, out);
    if (key == "as_graph") return subgraph_(tag, out);
    if (key == "as_optional_tensor") return optional(tag, out);
    if (key == "as_string_to_argument") return dictionary(tag, out);
    Constant constant;
    if (!scalar(tag, key, constant)) return false;
    out = std::move(constant);
    return true;
  }

 private:
  [[nodiscard]] bool use(std::string_view name, ValueKind kind, Argument& out) {
    ValueId id;
    if (!scope_.lookup(name, kind, id)) return false;
    out = id;
    return true;
  }

  [[nodiscard]] bool scalar(JsonValue tag, std::string_view key, Constant& out) {
    if (key == "as_int") return types_.integer(tag, key, out.emplace<std::int64_t>());
    if (key == "as_float") return types_.real(tag, key, out.emplace<double>());
    if (key == "as_bool") return types_.boolean(tag, key, out.emplace<bool>());
    if (key == "as_string" || key == "as_operator") return words(tag, key, out);
    if (key == "as_device") return types_.device(tag, out.emplace<Device>());
    if (key == "as_scalar_type")
      return types_.code(tag, key, scalar_type_codes, out.emplace<DType>());
    if (key == "as_layout") return types_.code(tag, key, layout_codes, out.emplace<Layout>());
    if (key == "as_memory_format")
      return types_.code(tag, key, memory_format_codes, out.emplace<MemoryFormat>());
    if (key == "as_complex") return complex(tag, out);
    if (key.starts_with("as_sym_")) return symbolic_constant(tag, out);
    return types_.unknown_tag(tag, "argument");
  }

  [[nodiscard]] bool words(JsonValue tag, std::string_view key, Constant& out) {
    if (!types_.expect(tag, JsonKind::text, key)) return false;
    if (key == "as_string") {
      out = std::string(tag.text());
      return true;
    }
    std::string target = canonical_target(tag.text());
    if (target.empty()) return types_.corrupt(in_quotes(tag.text()), " is no operator's name");
    out = OperatorName{std::move(target)};
    return true;
  }

  [[nodiscard]] bool complex(JsonValue tag, Constant& out) {
    double real = 0;
    double imaginary = 0;
    if (!types_.object(tag, "as_complex") || !types_.real(tag.find("real"), "real", real) ||
        !types_.real(tag.find("imag"), "imag", imaginary))
      return false;
    out = std::complex<double>(real, imaginary);
    return true;
  }

  /// A member of a symbolic union that is not a name.
  [[nodiscard]] bool symbolic_constant(JsonValue tag, Constant& out) {
    JsonValue inner;
    if (!types_.variant(tag, tag.key(), inner)) return false;
    if (inner.key() == "as_int")
      return types_.integer(inner, "as_int", out.emplace<std::int64_t>());
    if (inner.key() == "as_float") return types_.real(inner, "as_float", out.emplace<double>());
    if (inner.key() == "as_bool") return types_.boolean(inner, "as_bool", out.emplace<bool>());
    return types_.unknown_tag(inner, tag.key());
  }

  [[nodiscard]] bool optional(JsonValue tag, Argument& out) {
    JsonValue inner;
    return types_.variant(tag, "as_optional_tensor", inner) && decode(inner, out);
  }

  [[nodiscard]] bool dictionary(JsonValue tag, Argument& out) {
    if (!types_.object(tag, tag.key())) return false;
    Argument::Dict items;
    for (const JsonValue item : tag) {
      JsonValue inner;
      auto& made = items.emplace_back(std::string(item.key()), Argument());
      if (!types_.variant(item, item.key(), inner) || !decode(inner, made.second)) return false;
    }
    out = std::move(items);
    return true;
  }

  [[nodiscard]] bool decode_list(JsonValue tag, std::string_view key, Argument& out) {
    if (!types_.expect(tag, JsonKind::array, key)) return false;
    if (key == "as_tensors" || key == "as_optional_tensors") return tensors(tag, out);
    if (key == "as_nested_tensors") return nested(tag, out, &ArgumentDecoder::tensors);
    if (key == "as_int_lists") return nested(tag, out, &ArgumentDecoder::integers);
    if (key == "as_float_lists") return nested(tag, out, &ArgumentDecoder::floats);
    if (key == "as_ints") return integers(tag, out);
    if (key == "as_floats") return floats(tag, out);
    if (key == "as_bools")
      return plain<bool>(tag, out, [&](JsonValue item, std::vector<bool>& to) {
        bool value = false;
        if (!types_.boolean(item, "as_bools", value)) return false;
        to.push_back(value);
        return true;
      });
    if (key == "as_strings")
      return plain<std::string>(tag, out, [&](JsonValue item, std::vector<std::string>& to) {
        if (!types_.expect(item, JsonKind::text, "as_strings")) return false;
        to.emplace_back(item.text());
        return true;
      });
    if (key == "as_sym_ints") return symbolic<std::int64_t>(tag, ValueKind::sym_int, out);
    if (key == "as_sym_floats") return symbolic<double>(tag, ValueKind::sym_float, out);
    if (key == "as_sym_bools") return symbolic<bool>(tag, ValueKind::sym_bool, out);
    return types_.unknown_tag(tag, "argument");
  }

  template <class Item, class Read>
  [[nodiscard]] bool plain(JsonValue list, Argument& out, Read read) {
    std::vector<Item> items;
    items.reserve(list.size());
    for (const JsonValue item : list)
      if (!read(item, items)) return false;
    out = Constant(std::move(items));
    return true;
  }
  [[nodiscard]] bool integers(JsonValue list, Argument& out) {
    return plain<std::int64_t>(list, out, [&](JsonValue item, std::vector<std::int64_t>& to) {
      return types_.integer(item, "item of a list of integers", to.emplace_back());
    });
  }
  [[nodiscard]] bool floats(JsonValue list, Argument& out) {
    return plain<double>(list, out, [&](JsonValue item, std::vector<double>& to) {
      return types_.real(item, "item of a list of floats", to.emplace_back());
    });
  }

  /// Tensors by name, or unions of tensor and none. PyTorch also writes the operands of control
  /// operators so, symbolic numbers among them.
  [[nodiscard]] bool tensors(JsonValue list, Argument& out) {
    Argument::List items;
    items.reserve(list.size());
    for (const JsonValue item : list) {
      if (!types_.object(item, "item of a list of tensors")) return false;
      auto& made = items.emplace_back();
      if (item.find("name")) {
        if (!named(item, made)) return false;
        continue;
      }
      JsonValue inner;
      if (!types_.variant(item, "item of a list of tensors", inner)) return false;
      const bool name = inner.key() == "as_tensor" && inner.is(JsonKind::object);
      if (name ? !named(inner, made) : !decode(inner, made)) return false;
    }
    out = std::move(items);
    return true;
  }
  /// What an object's "name" names, of whatever kind.
  [[nodiscard]] bool named(JsonValue object, Argument& out) {
    std::string_view name;
    return types_.text(object, "name", name) && use(name, scope_.kind_of(name), out);
  }

  [[nodiscard]] bool nested(JsonValue list, Argument& out,
                            bool (ArgumentDecoder::*read)(JsonValue, Argument&)) {
    Argument::List items;
    for (const JsonValue item : list)
      if (!types_.expect(item, JsonKind::array, "item of a list of lists") ||
          !(this->*read)(item, items.emplace_back()))
        return false;
    out = std::move(items);
    return true;
  }

  /// All plain numbers: a constant; else a list of arguments.
  template <class Number>
  [[nodiscard]] bool symbolic(JsonValue list, ValueKind kind, Argument& out) {
    Argument::List items;
    std::vector<Number> numbers;
    for (const JsonValue item : list) {
      JsonValue inner;
      if (!types_.variant(item, "item of a symbolic list", inner)) return false;
      if (inner.key() == "as_name") {
        if (!types_.expect(inner, JsonKind::text, "as_name") ||
            !use(inner.text(), kind, items.emplace_back()))
          return false;
        continue;
      }
      Constant constant;
      if (!scalar(inner, inner.key(), constant)) return false;
      const auto* number = std::get_if<Number>(&constant);
      if (!number) return types_.unknown_tag(inner, "item of a symbolic list");
      numbers.push_back(*number);
      items.emplace_back(std::move(constant));
    }
    if (numbers.size() == items.size())
      out = Constant(std::move(numbers));
    else
      out = std::move(items);
    return true;
  }

  TypeDecoder& types_;
  ValueScope& scope_;
  SubgraphReader subgraph_;
};

}  // namespace treadle::inline v0::detail
