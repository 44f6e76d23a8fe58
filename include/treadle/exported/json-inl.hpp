// Parses JSON into a JsonDocument with nlohmann::json's event interface.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <treadle/archive/failure.hpp>
#include <treadle/exported/json.hpp>

namespace treadle::inline v0::detail {

/// Receives the events of a parse in document order.
class JsonBuilder {
 public:
  JsonBuilder(JsonStorage& out, std::uint32_t max_depth) : out_(out), max_depth_(max_depth) {}

  [[nodiscard]] Error take_error() { return std::move(error_); }

  bool null() { return add(JsonKind::null) != nullptr; }
  bool boolean(bool value) { return add_integer(JsonKind::boolean, value ? 1 : 0); }
  bool number_integer(std::int64_t value) { return add_integer(JsonKind::integer, value); }
  bool number_unsigned(std::uint64_t value) {
    return add_integer(value >> 63 != 0 ? JsonKind::large : JsonKind::integer,
                       static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) {
    add(JsonKind::real)->real = value;
    return true;
  }
  bool string(std::string& text) {
    JsonNode* node = add(JsonKind::text);
    node->offset = out_.characters.size();
    node->count = static_cast<std::uint32_t>(text.size());
    out_.characters += text;
    return true;
  }
  template <class Binary>
  bool binary(Binary&) {
    return false;
  }
  bool key(std::string& text) {
    key_offset_ = static_cast<std::uint32_t>(out_.characters.size());
    key_size_ = static_cast<std::uint32_t>(text.size());
    out_.characters += text;
    return true;
  }
  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& token, const Exception&) {
    error_ = corrupt_file("broken JSON at byte ", position, ", near ", in_quotes(token));
    return false;
  }

 private:
  JsonNode* add(JsonKind kind) {
    if (!open_.empty()) ++out_.nodes[open_.back()].count;
    JsonNode& node = out_.nodes.emplace_back();
    node.kind = kind;
    node.key_offset = key_offset_;
    node.key_size = std::exchange(key_size_, 0);
    node.next = static_cast<std::uint32_t>(out_.nodes.size());
    return &node;
  }
  bool add_integer(JsonKind kind, std::int64_t value) {
    add(kind)->integer = value;
    return true;
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
  bool close() {
    out_.nodes[open_.back()].next = static_cast<std::uint32_t>(out_.nodes.size());
    open_.pop_back();
    return true;
  }

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
  JsonBuilder builder(*storage, limits.max_depth);
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder))
    return builder.take_error();
  storage->nodes.shrink_to_fit();
  return JsonDocument(std::move(storage));
}

}  // namespace treadle::inline v0::detail
