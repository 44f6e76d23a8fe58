// Builds JSON text.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/concat.hpp>

namespace treadle::inline v0::detail {

/// Appends values and members in order and places the commas between them.
class JsonWriter {
 public:
  [[nodiscard]] std::string take() && { return std::move(out_); }

  JsonWriter& key(std::string_view name) {
    text(name);
    out_ += ": ";
    fresh_ = true;
    return *this;
  }
  void null() { plain("null"); }
  void boolean(bool value) { plain(value ? "true" : "false"); }
  void integer(std::int64_t value) {
    comma();
    append(out_, value);
  }
  /// What JSON has no number for is written as text, as the schema wants it.
  void real(double value) {
    if (std::isnan(value)) return text("NaN");
    if (std::isinf(value)) return text(value < 0 ? "-Infinity" : "Infinity");
    comma();
    const std::size_t start = out_.size();
    append(out_, value);
    if (out_.find_first_of(".e", start) == std::string::npos) out_ += ".0";
  }
  void text(std::string_view value) {
    comma();
    out_ += '"';
    for (const char c : value) escape(c);
    out_ += '"';
  }

  /// A value that is JSON already.
  void verbatim(std::string_view json) { plain(json); }

  /// `{…}` around what `members` writes.
  template <std::invocable Members>
  void object(Members&& members) {
    nest('{', '}', std::forward<Members>(members));
  }
  /// `{"name": …}`: a union's form.
  template <std::invocable Value>
  void tagged(std::string_view name, Value&& value) {
    object([&] {
      key(name);
      value();
    });
  }
  template <std::invocable Items>
  void array(Items&& items) {
    nest('[', ']', std::forward<Items>(items));
  }

 private:
  template <class Inside>
  void nest(char open, char close, Inside&& inside) {
    comma();
    out_ += open;
    fresh_ = true;
    inside();
    out_ += close;
    fresh_ = false;
  }
  void comma() {
    if (!fresh_) out_ += ", ";
    fresh_ = false;
  }
  void plain(std::string_view word) {
    comma();
    out_ += word;
  }
  void escape(char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (byte < 0x20) {
      out_ += "\\u00";
      out_ += digits[byte >> 4];
      out_ += digits[byte & 15];
    } else {
      out_ += c;
    }
  }

  std::string out_;
  bool fresh_ = true;
};

}  // namespace treadle::inline v0::detail
