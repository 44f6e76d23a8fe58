// Writes parsed JSON back as text.
#pragma once

#include <cstdint>

#include <treadle/exported/json.hpp>
#include <treadle/exported/json_writer.hpp>

namespace treadle::inline v0::detail {

/// Appends a value with all that is in it. The depth is that of the document, which its reader has
/// bounded.
inline void copy_json(JsonValue value, JsonWriter& out) {
  switch (value.kind()) {
    case JsonKind::null: return out.null();
    case JsonKind::boolean: return out.boolean(value.integer() != 0);
    case JsonKind::integer: return out.integer(value.integer());
    case JsonKind::large: return out.verbatim(concat(static_cast<std::uint64_t>(value.integer())));
    case JsonKind::real: return out.real(value.real());
    case JsonKind::text: return out.text(value.text());
    case JsonKind::array:
      return out.array([&] {
        for (const JsonValue item : value) copy_json(item, out);
      });
    case JsonKind::object:
      return out.object([&] {
        for (const JsonValue member : value) {
          out.key(member.key());
          copy_json(member, out);
        }
      });
  }
}

}  // namespace treadle::inline v0::detail
