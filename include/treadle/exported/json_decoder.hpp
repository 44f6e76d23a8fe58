// Reads the fields of JSON structs and remembers what was wrong.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/exported/json.hpp>

namespace treadle::inline v0::detail {

/// One struct of the schema at a time is taken apart by calls that return false on failure, having
/// set `error`; callers add where they are with `at` on the way up.
class JsonDecoder {
 public:
  explicit JsonDecoder(const LoadLimits& limits) : limits_(limits) {}

  [[nodiscard]] const LoadLimits& limits() const noexcept { return limits_; }
  [[nodiscard]] Error take_error() { return std::move(error_); }

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }
  template <class... Pieces>
  bool corrupt(const Pieces&... pieces) {
    return fail(corrupt_file(pieces...));
  }
  /// Puts `where` in front of the message; always false.
  bool at(std::string_view where) {
    error_ = std::move(error_).with_context(where);
    return false;
  }

  /// Fails unless `value`, known as `what`, is of this kind.
  [[nodiscard]] bool expect(JsonValue value, JsonKind kind, std::string_view what) {
    if (value.is(kind)) return true;
    if (!value) return corrupt("'", what, "' is missing");
    return corrupt("'", what, "' is ", name(value.kind()), ", expected ", name(kind));
  }
  [[nodiscard]] bool object(JsonValue value, std::string_view what) {
    return expect(value, JsonKind::object, what);
  }
  [[nodiscard]] bool field(JsonValue in, std::string_view key, JsonKind kind, JsonValue& out) {
    out = in.find(key);
    return expect(out, kind, key);
  }
  [[nodiscard]] bool text(JsonValue in, std::string_view key, std::string_view& out) {
    JsonValue value;
    if (!field(in, key, JsonKind::text, value)) return false;
    out = value.text();
    return true;
  }
  [[nodiscard]] bool integer(JsonValue value, std::string_view what, std::int64_t& out) {
    if (!expect(value, JsonKind::integer, what)) return false;
    out = value.integer();
    return true;
  }
  [[nodiscard]] bool boolean(JsonValue value, std::string_view what, bool& out) {
    if (!expect(value, JsonKind::boolean, what)) return false;
    out = value.integer() != 0;
    return true;
  }
  /// A float; also an integer, and the texts by which files write what JSON has no number for.
  [[nodiscard]] bool real(JsonValue value, std::string_view what, double& out) {
    if (value.is(JsonKind::integer)) {
      out = static_cast<double>(value.integer());
      return true;
    }
    if (value.is(JsonKind::text)) {
      constexpr double infinity = __builtin_huge_val();
      const std::string_view text = value.text();
      if (text == "Infinity") return out = infinity, true;
      if (text == "-Infinity") return out = -infinity, true;
      if (text == "NaN") return out = __builtin_nan(""), true;
      return corrupt("'", what, "' is the text ", in_quotes(text), ", expected a float");
    }
    if (!expect(value, JsonKind::real, what)) return false;
    out = value.real();
    return true;
  }

  /// The one member of a union that is not null.
  [[nodiscard]] bool variant(JsonValue value, std::string_view what, JsonValue& out) {
    if (!object(value, what)) return false;
    out = {};
    for (const JsonValue member : value) {
      if (member.is_null()) continue;
      if (out) return corrupt("'", what, "' has both '", out.key(), "' and '", member.key(), "'");
      out = member;
    }
    return out ? true : corrupt("'", what, "' is a union without a value");
  }
  bool unknown_tag(JsonValue variant, std::string_view what) {
    return fail(unsupported_file("'", what, "' is of the unknown kind ", in_quotes(variant.key())));
  }

 private:
  const LoadLimits& limits_;
  Error error_;
};

}  // namespace treadle::inline v0::detail
