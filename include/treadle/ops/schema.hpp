// Operator schemas: PyTorch's one-line declarations, read at compile time or at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace treadle::inline v0 {

/// Element kinds of schema types; `SymInt` counts as integer.
enum class SchemaKind : std::uint8_t {
  tensor,
  integer,
  real,
  boolean,
  scalar,
  string,
  dtype,
  device,
  layout,
  memory_format,
  complex,
  generator,
  other,
};

/// A parameter or result of a schema. Texts point into the schema string.
struct SchemaArgument {
  std::string_view name;  ///< may be empty for results
  SchemaKind kind = SchemaKind::other;
  bool list = false;            ///< `T[]`
  bool optional = false;        ///< `T?`, `T[]?`
  bool optional_items = false;  ///< `T?[]`
  bool symbolic = false;        ///< `SymInt`
  bool keyword_only = false;
  bool writes = false;         ///< `Tensor(a!)`
  char alias_set = 0;          ///< letter of `Tensor(a)`, or 0
  std::int32_t list_size = 0;  ///< n of `int[n]`: a single number stands for n of them
  bool has_default = false;
  std::string_view default_text;  ///< as written, e.g. `1`, `None`, `[0, 1]`, `"none"`
};

/// A parsed schema. `error` is empty if the text was well-formed.
struct Schema {
  static constexpr std::size_t max_arguments = 36;
  static constexpr std::size_t max_results = 10;

  std::string_view name;  ///< `aten::add.Tensor`
  std::array<SchemaArgument, max_arguments> arguments{};
  std::size_t argument_count = 0;
  std::array<SchemaArgument, max_results> results{};
  std::size_t result_count = 0;
  std::string_view error;

  [[nodiscard]] constexpr int find(std::string_view argument) const noexcept {
    for (std::size_t i = 0; i < argument_count; ++i)
      if (arguments[i].name == argument) return static_cast<int>(i);
    return -1;
  }
};

/// The operator name in front of the parenthesis.
[[nodiscard]] constexpr std::string_view schema_name(std::string_view text) noexcept {
  // Not `find`: g++ 12 can't evaluate it on a template argument under the sanitizers.
  std::size_t end = 0;
  while (end < text.size() && text[end] != '(') ++end;
  return text.substr(0, end);
}

namespace detail {

class SchemaParser {
 public:
  constexpr explicit SchemaParser(std::string_view text) noexcept : text_(text) {}

  constexpr Schema parse() noexcept {
    schema_.name = schema_name(text_);
    at_ = schema_.name.size();
    if (!eat('(')) return fail("a schema needs '(' after its name");
    parse_arguments();
    if (!schema_.error.empty()) return schema_;
    skip();
    if (!(eat('-') && eat('>'))) return fail("a schema needs '->' after its arguments");
    parse_results();
    return schema_;
  }

 private:
  constexpr Schema& fail(std::string_view why) noexcept {
    if (schema_.error.empty()) schema_.error = why;
    return schema_;
  }
  constexpr void skip() noexcept {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  constexpr char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  constexpr bool eat(char c) noexcept {
    skip();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  static constexpr bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  }
  constexpr std::string_view word() noexcept {
    skip();
    const std::size_t begin = at_;
    while (is_word(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  constexpr void parse_arguments() noexcept {
    bool keyword_only = false;
    if (eat(')')) return;
    while (schema_.error.empty()) {
      if (eat('*')) {
        keyword_only = true;
      } else {
        if (schema_.argument_count == Schema::max_arguments) {
          fail("a schema has too many arguments");
          return;
        }
        SchemaArgument& argument = schema_.arguments[schema_.argument_count++];
        parse_type(argument);
        argument.name = word();
        argument.keyword_only = keyword_only;
        if (argument.name.empty()) fail("a schema argument needs a name");
        if (eat('=')) parse_default(argument);
      }
      if (eat(')')) return;
      if (!eat(',')) fail("schema arguments are separated by ','");
    }
  }

  constexpr void parse_default(SchemaArgument& argument) noexcept {
    skip();
    const std::size_t begin = at_;
    int depth = 0;
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') quoted = !quoted;
      if (quoted) continue;
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (depth == 0 && (c == ',' || c == ')')) break;
    }
    argument.has_default = true;
    argument.default_text = text_.substr(begin, at_ - begin);
  }

  constexpr void parse_results() noexcept {
    skip();
    if (eat('(')) {
      if (eat(')')) return;
      while (schema_.error.empty()) {
        parse_result();
        if (eat(')')) return;
        if (!eat(',')) fail("schema results are separated by ','");
      }
      return;
    }
    parse_result();
  }

  constexpr void parse_result() noexcept {
    if (schema_.result_count == Schema::max_results) {
      fail("a schema has too many results");
      return;
    }
    SchemaArgument& result = schema_.results[schema_.result_count++];
    parse_type(result);
    result.name = word();
  }

  constexpr void parse_type(SchemaArgument& argument) noexcept {
    const std::string_view type = word();
    argument.kind = kind_of(type);
    argument.symbolic = type == "SymInt" || type == "SymBool";
    if (argument.kind == SchemaKind::other && type.empty()) fail("a schema needs a type here");
    if (peek() == '(') parse_alias(argument);
    bool question = false;
    while (true) {
      if (peek() == '?') {
        ++at_;
        question = true;
      } else if (peek() == '[') {
        ++at_;
        argument.list = true;
        argument.optional_items = question;
        question = false;
        argument.list_size = number();
        if (!eat(']')) fail("a list type needs ']'");
        if (peek() == '(') parse_alias(argument);
      } else {
        break;
      }
    }
    argument.optional = question;
  }

  constexpr std::int32_t number() noexcept {
    std::int32_t n = 0;
    for (; peek() >= '0' && peek() <= '9' && n < 10000; ++at_) n = n * 10 + (peek() - '0');
    return n;
  }

  constexpr void parse_alias(SchemaArgument& argument) noexcept {
    ++at_;
    for (; at_ < text_.size() && text_[at_] != ')'; ++at_) {
      const char c = text_[at_];
      if (c == '!') argument.writes = true;
      if (c >= 'a' && c <= 'z' && argument.alias_set == 0) argument.alias_set = c;
    }
    if (at_ < text_.size()) ++at_;
  }

  static constexpr SchemaKind kind_of(std::string_view type) noexcept {
    if (type == "Tensor") return SchemaKind::tensor;
    if (type == "int" || type == "SymInt") return SchemaKind::integer;
    if (type == "float") return SchemaKind::real;
    if (type == "bool" || type == "SymBool") return SchemaKind::boolean;
    if (type == "Scalar" || type == "number") return SchemaKind::scalar;
    if (type == "str") return SchemaKind::string;
    if (type == "ScalarType") return SchemaKind::dtype;
    if (type == "Device") return SchemaKind::device;
    if (type == "Layout") return SchemaKind::layout;
    if (type == "MemoryFormat") return SchemaKind::memory_format;
    if (type == "complex") return SchemaKind::complex;
    if (type == "Generator") return SchemaKind::generator;
    return SchemaKind::other;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Schema schema_;
};

}  // namespace detail

/// Reads a schema such as `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) ->
/// Tensor`. The result points into `text`, which must outlive it. Never fails hard: see
/// `Schema::error`.
[[nodiscard]] constexpr Schema parse_schema(std::string_view text) noexcept {
  return detail::SchemaParser(text).parse();
}

}  // namespace treadle::inline v0
