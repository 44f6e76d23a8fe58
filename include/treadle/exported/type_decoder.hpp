// Reads dtypes, devices, symbolic numbers and tensor metadata of the export schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/exported/json_decoder.hpp>
#include <treadle/exported/schema_codes.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/symbolic/parse.hpp>

namespace treadle::inline v0::detail {

class TypeDecoder : public JsonDecoder {
 public:
  using JsonDecoder::JsonDecoder;

  /// A code of one of the tables, or its name in very old files.
  template <class Kind, std::size_t Count>
  [[nodiscard]] bool code(JsonValue value, std::string_view what,
                          const SchemaCode<Kind> (&table)[Count], Kind& out) {
    std::optional<Kind> found;
    if (value.is(JsonKind::text)) {
      found = from_name(table, value.text());
      if (!found) return corrupt("'", what, "' is the unknown ", in_quotes(value.text()));
    } else {
      std::int64_t number = 0;
      if (!integer(value, what, number)) return false;
      found = from_code(table, number);
      if (!found) return fail(unsupported_file("'", what, "' has the unknown code ", number));
    }
    out = *found;
    return true;
  }

  [[nodiscard]] bool device(JsonValue value, Device& out) {
    std::string_view type;
    if (!object(value, "device") || !text(value, "type", type)) return false;
    out.type = parse_device_type(type);
    out.index = -1;
    const JsonValue index = value.find("index");
    if (index.is_null()) return true;
    std::int64_t number = 0;
    if (!integer(index, "index", number)) return false;
    if (number < -1 || number > INT16_MAX)
      return corrupt("device '", type, "' has the index ", number);
    out.index = static_cast<std::int16_t>(number);
    return true;
  }

  /// The expression of a symbolic number of any kind: `as_expr`, or a plain value.
  [[nodiscard]] bool expression(JsonValue value, std::string_view what, Expr& out) {
    JsonValue tag;
    if (!variant(value, what, tag)) return false;
    double real_value = 0;
    if (tag.key() == "as_expr") return parse(tag, out);
    if (tag.key() == "as_int" && tag.is(JsonKind::integer)) {
      out = make_integer(tag.integer());
    } else if (tag.key() == "as_bool" && tag.is(JsonKind::boolean)) {
      out = make_boolean(tag.integer() != 0);
    } else if (tag.key() == "as_float") {
      if (!real(tag, "as_float", real_value)) return false;
      out = make_real(real_value);
    } else {
      return unknown_tag(tag, what);
    }
    return true;
  }

  /// A size, stride or offset: a plain integer in old files.
  [[nodiscard]] bool size(JsonValue value, std::string_view what, SymInt& out) {
    if (value.is(JsonKind::integer)) {
      out = value.integer();
    } else {
      JsonValue tag;
      if (!variant(value, what, tag)) return false;
      if (tag.key() == "as_int") {
        std::int64_t number = 0;
        if (!integer(tag, what, number)) return false;
        out = number;
      } else {
        Expr expr;
        if (!expression(value, what, expr)) return false;
        out = SymInt(std::move(expr));
      }
    }
    if (out.known() && *out.value() < 0) return corrupt("'", what, "' is negative: ", *out.value());
    return true;
  }

  [[nodiscard]] bool tensor_type(JsonValue value, TensorType& out) {
    if (!object(value, "tensor metadata")) return false;
    if (!code(value.find("dtype"), "dtype", scalar_type_codes, out.dtype) ||
        !code(value.find("layout"), "layout", layout_codes, out.layout) ||
        !device(value.find("device"), out.device) || !dims(value, "sizes", out.sizes) ||
        !dims(value, "strides", out.strides) ||
        !size(value.find("storage_offset"), "storage_offset", out.storage_offset))
      return false;
    if (out.dtype == DType::undefined) return corrupt("'dtype' is UNKNOWN");
    const JsonValue gradient = value.find("requires_grad");
    if (!gradient.is_null() && !boolean(gradient, "requires_grad", out.requires_grad)) return false;
    return consistent(out);
  }

 private:
  [[nodiscard]] bool parse(JsonValue tag, Expr& out) {
    std::string_view text;
    if (!object(tag, "as_expr") || !JsonDecoder::text(tag, "expr_str", text)) return false;
    const auto found = parsed_.find(text);
    if (found != parsed_.end()) {
      out = found->second;
      return true;
    }
    auto expr = parse_expr(text);
    if (!expr) {
      fail(std::move(expr).error());
      return at(concat("expression ", in_quotes(text)));
    }
    out = *expr;
    parsed_.emplace(text, *std::move(expr));
    return true;
  }

  [[nodiscard]] bool dims(JsonValue meta, std::string_view key, SymDims& out) {
    JsonValue list;
    if (!field(meta, key, JsonKind::array, list)) return false;
    if (list.size() > limits().max_rank)
      return fail(limit_exceeded("'", key, "' has ", list.size(),
                                 " dimensions, above LoadLimits::max_rank = ", limits().max_rank));
    out.clear();
    out.reserve(list.size());
    for (const JsonValue item : list)
      if (!size(item, key, out.emplace_back())) return false;
    return true;
  }

  [[nodiscard]] bool consistent(const TensorType& type) {
    if (type.layout == Layout::strided && type.sizes.size() != type.strides.size())
      return corrupt("'sizes' has ", type.sizes.size(), " entries and 'strides' ",
                     type.strides.size());
    std::int64_t count = 1;
    for (const auto& size : type.sizes) {
      if (!size.known()) continue;
      if (__builtin_mul_overflow(count, *size.value() > 1 ? *size.value() : 1, &count) ||
          count > limits().max_tensor_elements)
        return fail(
            limit_exceeded("'sizes' name more elements than LoadLimits::max_tensor_elements = ",
                           limits().max_tensor_elements));
    }
    return true;
  }

  /// Expressions by text; the keys lie in the document.
  std::unordered_map<std::string_view, Expr> parsed_;
};

}  // namespace treadle::inline v0::detail
