// A compact read-only JSON document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0::detail {

/// `large` is an integer that 64 signed bits do not hold.
enum class JsonKind : std::uint8_t { null, boolean, integer, large, real, text, array, object };

[[nodiscard]] constexpr std::string_view name(JsonKind kind) noexcept {
  constexpr std::string_view names[] = {"null",    "a boolean", "an integer", "a large integer",
                                        "a float", "a text",    "an array",   "an object"};
  return names[static_cast<int>(kind)];
}

/// One value of a document. Values lie in document order: the items of a container follow it, and
/// `next` is the position after the last of them.
struct JsonNode {
  JsonKind kind = JsonKind::null;
  std::uint32_t key_size = 0;
  std::uint32_t key_offset = 0;  ///< in the document's characters
  std::uint32_t next = 0;
  std::uint32_t count = 0;  ///< items of a container, bytes of a text
  union {
    std::int64_t integer = 0;
    double real;
    std::uint64_t offset;  ///< of a text, in the document's characters
  };
};

/// What a document owns. Its address does not change, so that values may point into it.
struct JsonStorage {
  std::vector<JsonNode> nodes;
  std::string characters;  ///< all keys and texts, unescaped
};

/// A value of a document that is alive; default-made: no value.
class JsonValue {
 public:
  JsonValue() noexcept = default;
  JsonValue(const JsonStorage* storage, std::uint32_t index) noexcept
      : storage_(storage), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return storage_ != nullptr; }
  [[nodiscard]] JsonKind kind() const noexcept { return node().kind; }
  [[nodiscard]] bool is(JsonKind kind) const noexcept { return storage_ && node().kind == kind; }
  /// True for no value and for null.
  [[nodiscard]] bool is_null() const noexcept { return !storage_ || is(JsonKind::null); }
  [[nodiscard]] std::int64_t integer() const noexcept { return node().integer; }
  [[nodiscard]] double real() const noexcept { return node().real; }
  [[nodiscard]] std::string_view text() const noexcept {
    return {storage_->characters.data() + node().offset, node().count};
  }
  /// Items of an array or object.
  [[nodiscard]] std::size_t size() const noexcept { return node().count; }
  /// The key under which an object holds this value.
  [[nodiscard]] std::string_view key() const noexcept {
    return {storage_->characters.data() + node().key_offset, node().key_size};
  }
  /// The member of an object, or no value.
  [[nodiscard]] JsonValue find(std::string_view key) const noexcept {
    if (!is(JsonKind::object)) return {};
    for (const JsonValue member : *this)
      if (member.key() == key) return member;
    return {};
  }

  /// Walks the items of a container.
  class Iterator {
   public:
    Iterator(const JsonStorage* storage, std::uint32_t index) : storage_(storage), index_(index) {}
    JsonValue operator*() const noexcept { return {storage_, index_}; }
    Iterator& operator++() noexcept {
      index_ = storage_->nodes[index_].next;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.index_ == b.index_;
    }

   private:
    const JsonStorage* storage_;
    std::uint32_t index_;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {storage_, index_ + 1}; }
  [[nodiscard]] Iterator end() const noexcept { return {storage_, node().next}; }

 private:
  [[nodiscard]] const JsonNode& node() const noexcept { return storage_->nodes[index_]; }

  const JsonStorage* storage_ = nullptr;
  std::uint32_t index_ = 0;
};

/// A parsed document; movable without invalidating its values.
class JsonDocument {
 public:
  /// Errors: `corrupt_file` with the position, `limit_exceeded` by size and depth.
  [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, const LoadLimits& limits);

  [[nodiscard]] JsonValue root() const noexcept { return {storage_.get(), 0}; }

 private:
  explicit JsonDocument(std::unique_ptr<JsonStorage> storage) : storage_(std::move(storage)) {}

  std::unique_ptr<JsonStorage> storage_;
};

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/exported/json-inl.hpp>
#endif
