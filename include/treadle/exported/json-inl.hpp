// Parses JSON into a JsonDocument from the tokens of nlohmann's lexer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The lexer alone: nlohmann::json itself would cost every user's translation unit seconds.
#if __has_include(<nlohmann/detail/input/lexer.hpp>)
#include <nlohmann/detail/input/lexer.hpp>
#else
#include <nlohmann/json.hpp>
#endif

#include <treadle/archive/failure.hpp>
#include <treadle/exported/json.hpp>

namespace treadle::inline v0::detail {

/// What the lexer asks of a JSON type.
struct JsonTokens {
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
};

/// The characters of a text, as the lexer reads them.
class JsonInput {
 public:
  using char_type = char;

  explicit JsonInput(std::string_view text) noexcept : text_(text) {}
  int get_character() noexcept {
    return at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : -1;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Walks the tokens and writes values in document order.
class JsonBuilder {
 public:
  JsonBuilder(std::string_view text, JsonStorage& out, std::uint32_t max_depth)
      : lexer_(JsonInput(text)), out_(out), max_depth_(max_depth) {}

  /// The whole text; false if it is broken.
  [[nodiscard]] bool build() {
    next();
    do {
      if (in_object() && !key()) return false;
      const std::size_t depth = open_.size();
      if (!value()) return false;
      const bool has_items = open_.size() > depth && token_ != closing();
      if (!has_items && !end_values()) return false;
    } while (!open_.empty());
    return token_ == Token::end_of_input || broken();
  }
  [[nodiscard]] Error take_error() { return std::move(error_); }

 private:
  using Lexer = nlohmann::detail::lexer<JsonTokens, JsonInput>;
  using Token = Lexer::token_type;

  void next() { token_ = lexer_.scan(); }
  /// Takes the token if it is this one.
  [[nodiscard]] bool take(Token token) {
    if (token_ != token) return false;
    next();
    return true;
  }

  [[nodiscard]] bool in_object() const {
    return !open_.empty() && out_.nodes[open_.back()].kind == JsonKind::object;
  }
  [[nodiscard]] Token closing() const { return in_object() ? Token::end_object : Token::end_array; }
  /// A member's name and its colon.
  [[nodiscard]] bool key() {
    if (token_ != Token::value_string) return broken();
    const std::string& text = lexer_.get_string();
    key_offset_ = static_cast<std::uint32_t>(out_.characters.size());
    key_size_ = static_cast<std::uint32_t>(text.size());
    out_.characters += text;
    next();
    return take(Token::name_separator) || broken();
  }
  /// A value; of a container only the beginning.
  [[nodiscard]] bool value() {
    switch (token_) {
      case Token::begin_object:
        if (!open(JsonKind::object)) return false;
        break;
      case Token::begin_array:
        if (!open(JsonKind::array)) return false;
        break;
      case Token::literal_null: add(JsonKind::null); break;
      case Token::literal_true: add(JsonKind::boolean).integer = 1; break;
      case Token::literal_false: add(JsonKind::boolean).integer = 0; break;
      case Token::value_string: add_text(lexer_.get_string()); break;
      case Token::value_integer:
        add(JsonKind::integer).integer = lexer_.get_number_integer();
        break;
      case Token::value_unsigned: add_unsigned(lexer_.get_number_unsigned()); break;
      case Token::value_float:
        if (!std::isfinite(lexer_.get_number_float())) return broken();
        add(JsonKind::real).real = lexer_.get_number_float();
        break;
      default: return broken();
    }
    next();
    return true;
  }
  /// After a value: the ends of containers, up to the comma before the next value.
  [[nodiscard]] bool end_values() {
    while (!open_.empty()) {
      if (take(Token::value_separator)) return true;
      if (!take(closing())) return broken();
      out_.nodes[open_.back()].next = static_cast<std::uint32_t>(out_.nodes.size());
      open_.pop_back();
    }
    return true;
  }

  bool broken() {
    error_ = corrupt_file("broken JSON at byte ", lexer_.get_position().chars_read_total, ", near ",
                          in_quotes(lexer_.get_token_string()));
    return false;
  }
  JsonNode& add(JsonKind kind) {
    if (!open_.empty()) ++out_.nodes[open_.back()].count;
    JsonNode& node = out_.nodes.emplace_back();
    node.kind = kind;
    node.key_offset = key_offset_;
    node.key_size = std::exchange(key_size_, 0);
    node.next = static_cast<std::uint32_t>(out_.nodes.size());
    return node;
  }
  void add_unsigned(std::uint64_t value) {
    add(value >> 63 != 0 ? JsonKind::large : JsonKind::integer).integer =
        static_cast<std::int64_t>(value);
  }
  void add_text(const std::string& text) {
    JsonNode& node = add(JsonKind::text);
    node.offset = out_.characters.size();
    node.count = static_cast<std::uint32_t>(text.size());
    out_.characters += text;
  }
  bool open(JsonKind kind) {
    if (open_.size() >= max_depth_) {
      error_ = limit_exceeded("JSON is nested deeper than LoadLimits::max_depth = ", max_depth_);
      return false;
    }
    add(kind);
    open_.push_back(static_cast<std::uint32_t>(out_.nodes.size() - 1));
    return true;
  }

  Lexer lexer_;
  Token token_ = Token::uninitialized;
  JsonStorage& out_;
  std::uint32_t max_depth_;
  std::vector<std::uint32_t> open_;
  std::uint32_t key_offset_ = 0;
  std::uint32_t key_size_ = 0;
  Error error_;
};

TREADLE_INLINE Result<JsonDocument> JsonDocument::parse(std::string_view text,
                                                        const LoadLimits& limits) {
  constexpr std::uint64_t widest = 0xffff'fff0u;
  if (text.size() > std::min(limits.max_json_bytes, widest))
    return limit_exceeded("a JSON document of ", text.size(),
                          " bytes is above LoadLimits::max_json_bytes = ", limits.max_json_bytes);
  auto storage = std::make_unique<JsonStorage>();
  storage->characters.reserve(text.size());
  storage->nodes.reserve(text.size() / 20 + 1);
  JsonBuilder builder(text, *storage, limits.max_depth);
  if (!builder.build()) return builder.take_error();
  storage->nodes.shrink_to_fit();
  return JsonDocument(std::move(storage));
}

}  // namespace treadle::inline v0::detail
