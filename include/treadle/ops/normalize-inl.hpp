// Definitions of argument normalisation.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <treadle/core/concat.hpp>
#include <treadle/ops/normalize.hpp>

namespace treadle::inline v0 {
namespace detail {

inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::vector<std::string_view> split_items(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) items.push_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

inline std::optional<Constant> parse_default_list(const SchemaArgument& argument,
                                                  std::string_view text) {
  const auto items = split_items(text.substr(1, text.size() - 2));
  if (argument.kind == SchemaKind::boolean) {
    std::vector<bool> out;
    for (auto item : items) out.push_back(item == "True");
    return out;
  }
  std::vector<double> numbers;
  for (auto item : items) {
    const auto n = parse_number(item);
    if (!n) return std::nullopt;
    numbers.push_back(*n);
  }
  if (argument.kind == SchemaKind::real) return numbers;
  std::vector<std::int64_t> integers;
  for (double n : numbers) integers.push_back(static_cast<std::int64_t>(n));
  return integers;
}

inline std::optional<Constant> parse_default_word(std::string_view text) {
  if (text == "None") return None{};
  if (text == "True") return true;
  if (text == "False") return false;
  if (text == "contiguous_format") return MemoryFormat::contiguous;
  if (text == "preserve_format") return MemoryFormat::preserve;
  if (text == "strided") return Layout::strided;
  if (text == "Mean") return std::int64_t{1};
  if (text == "long") return DType::int64;
  if (text == "float") return DType::float32;
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\''))
    return std::string(text.substr(1, text.size() - 2));
  return std::nullopt;
}

/// Enumerators that schemas write as PyTorch's numbers.
inline std::optional<Constant> parse_default_code(const SchemaArgument& argument, double code) {
  if (argument.kind == SchemaKind::dtype) {
    if (code == 4) return DType::int64;
    if (code == 6) return DType::float32;
    if (code == 7) return DType::float64;
    if (code == 11) return DType::bool_;
  }
  if (argument.kind == SchemaKind::memory_format) {
    if (code == 0) return MemoryFormat::contiguous;
    if (code == 1) return MemoryFormat::preserve;
    if (code == 2) return MemoryFormat::channels_last;
    if (code == 3) return MemoryFormat::channels_last_3d;
  }
  return std::nullopt;
}

}  // namespace detail

TREADLE_INLINE Result<Constant> parse_default(const SchemaArgument& argument) {
  const std::string_view text = argument.default_text;
  if (auto word = detail::parse_default_word(text)) return std::move(*word);
  if (text.starts_with('[') && text.ends_with(']'))
    if (auto list = detail::parse_default_list(argument, text)) return std::move(*list);
  if (const auto number = detail::parse_number(text)) {
    if (auto code = detail::parse_default_code(argument, *number)) return *std::move(code);
    const bool whole = text.find_first_of(".en") == std::string_view::npos;
    if (argument.kind == SchemaKind::real || !whole) return Constant(*number);
    return Constant(static_cast<std::int64_t>(*number));
  }
  return Error(ErrorCode::invalid_graph,
               concat("argument '", argument.name, "' has a default that can't be read: ", text));
}

TREADLE_INLINE Result<std::vector<Argument>> normalize_arguments(
    const Schema& schema, std::span<const NamedArgument> arguments) {
  std::vector<Argument> out(schema.argument_count);
  std::vector<bool> given(schema.argument_count, false);
  std::size_t position = 0;
  for (const auto& argument : arguments) {
    int at = argument.name.empty() ? static_cast<int>(position++) : schema.find(argument.name);
    if (at < 0 || at >= static_cast<int>(schema.argument_count))
      return Error(ErrorCode::invalid_graph,
                   concat(schema.name, " has no argument '", argument.name, "'"));
    const auto i = static_cast<std::size_t>(at);
    if (given[i])
      return Error(ErrorCode::invalid_graph, concat(schema.name, ": argument '",
                                                    schema.arguments[i].name, "' is given twice"));
    given[i] = true;
    out[i] = argument.value;
  }
  for (std::size_t i = 0; i < schema.argument_count; ++i) {
    if (given[i]) continue;
    const auto& argument = schema.arguments[i];
    if (!argument.has_default && argument.kind == SchemaKind::generator) continue;
    if (!argument.has_default)
      return Error(ErrorCode::invalid_graph,
                   concat(schema.name, ": argument '", argument.name, "' is missing"));
    TREADLE_TRY(out[i], parse_default(argument));
  }
  return out;
}

}  // namespace treadle::inline v0
