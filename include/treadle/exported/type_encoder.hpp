// Writes symbolic numbers and tensor metadata of the export schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <treadle/core/device.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/exported/json_writer.hpp>
#include <treadle/exported/schema_codes.hpp>
#include <treadle/exported/srepr.hpp>
#include <treadle/graph/types.hpp>
#include <treadle/symbolic/evaluate.hpp>

namespace treadle::inline v0::detail {

/// Writes types; `hints` are example values of the symbols, which PyTorch wants beside expressions.
class TypeEncoder {
 public:
  TypeEncoder(JsonWriter& json, const Bindings& hints) : json_(json), hints_(hints) {}

  void device(const Device& device) {
    json_.object([&] {
      json_.key("type").text(name(device.type));
      json_.key("index");
      if (device.index < 0)
        json_.null();
      else
        json_.integer(device.index);
    });
  }

  void as_int(std::int64_t value) {
    json_.tagged("as_int", [&] { json_.integer(value); });
  }

  /// A symbolic number: `as_expr`, or a plain value of the kind.
  void expression(const Expr& expr) {
    if (expr->kind == ExprKind::integer) return as_int(expr->integer);
    if (expr->kind == ExprKind::real)
      return json_.tagged("as_float", [&] { json_.real(expr->real); });
    if (expr->kind == ExprKind::boolean)
      return json_.tagged("as_bool", [&] { json_.boolean(expr->integer != 0); });
    json_.tagged("as_expr", [&] {
      json_.object([&] {
        json_.key("expr_str").text(srepr(expr));
        json_.key("hint");
        hint(expr);
      });
    });
  }

  void size(const SymInt& size) {
    if (size.known())
      as_int(*size.value());
    else
      expression(size.expr());
  }

  void tensor(const TensorType& type) {
    json_.object([&] {
      json_.key("dtype").integer(to_code(scalar_type_codes, type.dtype));
      dims("sizes", type.sizes);
      json_.key("requires_grad").boolean(type.requires_grad);
      json_.key("device");
      device(type.device);
      dims("strides", type.strides);
      json_.key("storage_offset");
      size(type.storage_offset);
      json_.key("layout").integer(to_code(layout_codes, type.layout));
    });
  }

 private:
  void dims(std::string_view key, const SymDims& dims) {
    json_.key(key).array([&] {
      for (const auto& dim : dims) size(dim);
    });
  }

  void hint(const Expr& expr) {
    const auto value = evaluate(expr, hints_);
    if (!value) return json_.null();
    if (value->is_boolean())
      return json_.tagged("as_bool", [&] { json_.boolean(value->truthy()); });
    if (value->is_real()) return json_.tagged("as_float", [&] { json_.real(value->real); });
    as_int(value->integer);
  }

  JsonWriter& json_;
  const Bindings& hints_;
};

}  // namespace treadle::inline v0::detail
