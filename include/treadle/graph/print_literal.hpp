// Literals of graph text: quoted strings, numbers, names.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/core/tree_spec.hpp>

namespace treadle::inline v0::detail {

/// Characters of names that need no quotes.
[[nodiscard]] constexpr bool is_text_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == ':';
}

/// Appends a string in double quotes; quotes, backslashes and control characters are escaped.
inline void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Appends a name, in quotes if it needs them. A lone `_` needs them: it means no value.
inline void append_name(std::string& out, std::string_view name) {
  bool plain = !name.empty() && name != "_" && name.back() != ':';
  for (const char c : name) plain = plain && is_text_word(c);
  if (plain)
    out += name;
  else
    append_quoted(out, name);
}

/// Appends a float so that it reads back to the same bits and never as an integer.
inline void append_real(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
  } else {
    const std::size_t start = out.size();
    append(out, value);
    if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
  }
}

/// The context that PyTorch writes for the common kinds of containers; empty for others.
[[nodiscard]] inline std::string usual_context(const TreeSpec& spec) {
  if (spec.kind == TreeKind::tuple || spec.kind == TreeKind::list) return "null";
  if (spec.kind != TreeKind::dict) return {};
  std::string out = "[";
  for (const auto& key : spec.keys) {
    if (out.size() > 1) out += ", ";
    if (const auto* number = std::get_if<std::int64_t>(&key))
      append(out, *number);
    else
      append_quoted(out, std::get<std::string>(key));
  }
  return out + "]";
}

/// The serialized type of the common kinds of containers; empty for others.
[[nodiscard]] constexpr std::string_view usual_type(TreeKind kind) noexcept {
  switch (kind) {
    case TreeKind::tuple: return "builtins.tuple";
    case TreeKind::list: return "builtins.list";
    case TreeKind::dict: return "builtins.dict";
    default: return {};
  }
}

/// How text calls the kinds of containers, in their order.
inline constexpr std::string_view tree_kind_names[] = {
    "leaf",        "none",         "tuple",        "list",  "dict",
    "named_tuple", "ordered_dict", "default_dict", "deque", "custom"};

}  // namespace treadle::inline v0::detail
