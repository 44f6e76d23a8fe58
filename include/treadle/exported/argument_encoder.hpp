// Writes arguments of the export schema.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <treadle/core/error.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/exported/target.hpp>
#include <treadle/exported/type_encoder.hpp>
#include <treadle/graph/graph_body.hpp>

namespace treadle::inline v0::detail {

/// Writes the argument union. What the schema has no form for sets the error.
class ArgumentEncoder {
 public:
  using SubgraphWriter = FunctionRef<void(const Subgraph&)>;

  ArgumentEncoder(JsonWriter& json, TypeEncoder& types, const GraphBody& graph, Error& error,
                  SubgraphWriter subgraph)
      : json_(json), types_(types), graph_(graph), error_(error), subgraph_(subgraph) {}

  void encode(const Argument& argument) {
    if (const auto* id = argument.value()) return value(*id);
    if (const auto* items = argument.list()) return list(*items);
    if (const auto* items = argument.dict())
      return json_.tagged("as_string_to_argument", [&] {
        json_.object([&] {
          for (const auto& [key, item] : *items) {
            json_.key(key);
            encode(item);
          }
        });
      });
    if (const auto* sub = argument.subgraph())
      return json_.tagged("as_graph", [&] { subgraph_(*sub); });
    constant(*argument.constant());
  }

  void constant(const Constant& value) {
    std::visit([this](const auto& plain) { write(plain); }, value);
  }

  /// A reference to a value, as an argument or as a result.
  void value(ValueId id) {
    if (!id.valid()) return write(None{});
    const GraphValue& value = graph_.value(id);
    switch (value.kind) {
      case ValueKind::sym_int: return symbol("as_sym_int", value.name);
      case ValueKind::sym_float: return symbol("as_sym_float", value.name);
      case ValueKind::sym_bool: return symbol("as_sym_bool", value.name);
      case ValueKind::custom_object:
        return json_.tagged("as_custom_obj", [&] {
          json_.object([&] {
            json_.key("name").text(value.name);
            json_.key("class_fqn").text(value.class_name);
          });
        });
      default: return json_.tagged("as_tensor", [&] { reference(id); });
    }
  }

  /// `{"name": …}`.
  void reference(ValueId id) {
    json_.object([&] { json_.key("name").text(graph_.value(id).name); });
  }

 private:
  void symbol(std::string_view tag, std::string_view name) {
    json_.tagged(tag, [&] { json_.tagged("as_name", [&] { json_.text(name); }); });
  }

  /// What the items of a list are, all together.
  struct Census {
    std::size_t values = 0, tensors = 0, sym_ints = 0, sym_floats = 0, sym_bools = 0;
    std::size_t nones = 0, integers = 0, floats = 0, bools = 0, lists = 0;
    std::size_t integer_lists = 0, float_lists = 0, others = 0;
  };
  [[nodiscard]] Census count(const Argument::List& items) const {
    Census census;
    for (const auto& item : items) {
      if (const auto* id = item.value(); id && id->valid()) {
        const ValueKind kind = graph_.value(*id).kind;
        ++census.values;
        ++(kind == ValueKind::tensor || kind == ValueKind::token ? census.tensors
           : kind == ValueKind::sym_int                          ? census.sym_ints
           : kind == ValueKind::sym_float                        ? census.sym_floats
           : kind == ValueKind::sym_bool                         ? census.sym_bools
                                                                 : census.others);
      } else {
        ++(item.is_none()                          ? census.nones
           : item.get<std::int64_t>()              ? census.integers
           : item.get<double>()                    ? census.floats
           : item.get<bool>()                      ? census.bools
           : item.list()                           ? census.lists
           : item.get<std::vector<std::int64_t>>() ? census.integer_lists
           : item.get<std::vector<double>>()       ? census.float_lists
                                                   : census.others);
      }
    }
    return census;
  }

  void list(const Argument::List& items) {
    const Census n = count(items);
    const std::size_t all = items.size();
    if (n.tensors == all) return tensors("as_tensors", items);
    if (n.sym_ints + n.integers == all) return symbols("as_sym_ints", items);
    if (n.sym_floats + n.floats == all) return symbols("as_sym_floats", items);
    if (n.sym_bools + n.bools == all) return symbols("as_sym_bools", items);
    if (n.integer_lists == all) return nested<std::int64_t>("as_int_lists", items);
    if (n.float_lists == all) return nested<double>("as_float_lists", items);
    if (n.lists == all) return nested_tensors(items);
    // PyTorch names values of any kind as tensors where a list mixes them.
    if (n.values == all) return tensors("as_tensors", items);
    if (n.values + n.nones == all) return optional_tensors(items);
    fail("a list of mixed kinds");
  }

  void fail(std::string_view what) {
    if (error_.empty())
      error_ = Error(ErrorCode::invalid_graph, concat(what, " has no form in the export schema"));
    json_.null();
  }

  void tensors(std::string_view tag, const Argument::List& items) {
    json_.tagged(tag, [&] {
      json_.array([&] {
        for (const auto& item : items) reference(*item.value());
      });
    });
  }
  void optional_tensors(const Argument::List& items) {
    json_.tagged("as_optional_tensors", [&] {
      json_.array([&] {
        for (const auto& item : items) {
          if (const auto* id = item.value(); id && id->valid())
            json_.tagged("as_tensor", [&] { reference(*id); });
          else
            write(None{});
        }
      });
    });
  }
  void symbols(std::string_view tag, const Argument::List& items) {
    json_.tagged(tag, [&] {
      json_.array([&] {
        for (const auto& item : items)
          if (const auto* id = item.value())
            json_.tagged("as_name", [&] { json_.text(graph_.value(*id).name); });
          else
            constant(*item.constant());
      });
    });
  }
  template <class Item>
  void nested(std::string_view tag, const Argument::List& items) {
    json_.tagged(tag, [&] {
      json_.array([&] {
        for (const auto& item : items) plain(*item.get<std::vector<Item>>());
      });
    });
  }
  void nested_tensors(const Argument::List& items) {
    for (const auto& item : items)
      if (count(*item.list()).values != item.list()->size())
        return fail("a list of lists of mixed kinds");
    json_.tagged("as_nested_tensors", [&] {
      json_.array([&] {
        for (const auto& item : items)
          json_.array([&] {
            for (const auto& tensor : *item.list()) reference(*tensor.value());
          });
      });
    });
  }

  void number(std::int64_t value) { json_.integer(value); }
  void number(double value) { json_.real(value); }
  void number(bool value) { json_.boolean(value); }
  void number(const std::string& value) { json_.text(value); }
  template <class Item>
  void plain(const std::vector<Item>& items) {
    json_.array([&] {
      for (const auto& item : items) number(static_cast<const Item&>(item));
    });
  }

  void write(None) {
    json_.tagged("as_none", [&] { json_.boolean(true); });
  }
  void write(bool value) {
    json_.tagged("as_bool", [&] { json_.boolean(value); });
  }
  void write(std::int64_t value) { types_.as_int(value); }
  void write(double value) {
    json_.tagged("as_float", [&] { json_.real(value); });
  }
  void write(const std::complex<double>& value) {
    json_.tagged("as_complex", [&] {
      json_.object([&] {
        json_.key("real").real(value.real());
        json_.key("imag").real(value.imag());
      });
    });
  }
  void write(const std::string& value) {
    json_.tagged("as_string", [&] { json_.text(value); });
  }
  void write(DType value) { code("as_scalar_type", to_code(scalar_type_codes, value)); }
  void write(Layout value) { code("as_layout", to_code(layout_codes, value)); }
  void write(MemoryFormat value) { code("as_memory_format", to_code(memory_format_codes, value)); }
  void code(std::string_view tag, std::int64_t value) {
    json_.tagged(tag, [&] { json_.integer(value); });
  }
  void write(const Device& value) {
    json_.tagged("as_device", [&] { types_.device(value); });
  }
  void write(const OperatorName& value) {
    json_.tagged("as_operator", [&] { json_.text(python_target(value.target)); });
  }
  void write(const std::vector<bool>& items) {
    json_.tagged("as_bools", [&] { plain(items); });
  }
  void write(const std::vector<std::int64_t>& items) {
    json_.tagged("as_ints", [&] { plain(items); });
  }
  void write(const std::vector<double>& items) {
    json_.tagged("as_floats", [&] { plain(items); });
  }
  void write(const std::vector<std::string>& items) {
    json_.tagged("as_strings", [&] { plain(items); });
  }

  JsonWriter& json_;
  TypeEncoder& types_;
  const GraphBody& graph_;
  Error& error_;
  SubgraphWriter subgraph_;
};

}  // namespace treadle::inline v0::detail
