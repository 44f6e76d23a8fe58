// Definitions of guard.hpp.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/evaluate.hpp>
#include <treadle/symbolic/guard.hpp>
#include <treadle/symbolic/parse.hpp>
#include <treadle/symbolic/source_name.hpp>

namespace treadle::inline v0 {
namespace detail {

/// `['x']`, `[0]`: a key that `key_length` has measured.
TREADLE_INLINE Result<PathElement> parse_key(std::string_view text) {
  const std::string_view inside = text.substr(1, text.size() - 2);
  PathElement element;
  if (inside[0] == '\'' || inside[0] == '"') {
    for (std::size_t i = 1; i + 1 < inside.size(); ++i) {
      if (inside[i] == '\\') ++i;
      element.name += inside[i];
    }
    return element;
  }
  element.kind = PathElement::Kind::index;
  const auto [end, failure] =
      std::from_chars(inside.data(), inside.data() + inside.size(), element.index);
  if (failure != std::errc() || end != inside.data() + inside.size())
    return Error(ErrorCode::corrupt_file, concat("index ", inside, " does not fit in 64 bits"));
  return element;
}

/// The property that the end of a path names, e.g. `.size()`; false if it is a plain attribute.
TREADLE_INLINE bool property_of(std::string_view name, bool call, SourceReference::What& what) {
  using What = SourceReference::What;
  if (call && name == "size") what = What::size;
  if (!call && name == "shape") what = What::size;
  if (call && name == "stride") what = What::stride;
  if (call && name == "storage_offset") what = What::storage_offset;
  return what != What::value;
}

/// Reads the dimension after `.size()` and `.stride()`, which ends a source.
TREADLE_INLINE Status finish_source(std::string_view rest, SourceReference& source) {
  if (source.what == SourceReference::What::storage_offset && rest.empty()) return {};
  if (key_length(rest) == rest.size() && !rest.empty()) {
    TREADLE_TRY(const PathElement element, parse_key(rest));
    source.dimension = element.index;
    if (element.kind == PathElement::Kind::index &&
        source.what != SourceReference::What::storage_offset)
      return {};
  }
  return Error(ErrorCode::unsupported_file,
               concat("expected one dimension at the end of a source, found '", rest, "'"));
}

}  // namespace detail

TREADLE_INLINE Result<SourceReference> parse_source(std::string_view text) {
  if (text.empty() || detail::source_length(text) != text.size())
    return Error(ErrorCode::corrupt_file, concat("'", text, "' is not a source"));
  SourceReference source;
  std::size_t at = detail::identifier_length(text);
  source.root = text.substr(0, at);
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t length = detail::key_length(rest)) {
      TREADLE_TRY(PathElement element, detail::parse_key(rest.substr(0, length)));
      source.path.push_back(std::move(element));
      at += length;
      continue;
    }
    const std::string_view name = rest.substr(1, detail::identifier_length(rest.substr(1)));
    at += 1 + name.size();
    const bool call = text.substr(at).starts_with("()");
    if (call) at += 2;
    if (rest[0] == '.' && detail::property_of(name, call, source.what)) {
      TREADLE_CHECK(detail::finish_source(text.substr(at), source));
      return source;
    }
    if (call || rest[0] != '.')
      return Error(ErrorCode::unsupported_file,
                   concat("call of '", name, "' in source '", text, "' has no meaning here"));
    source.path.push_back({PathElement::Kind::attribute, std::string(name), 0});
  }
  return source;
}

TREADLE_INLINE Result<Guard> parse_guard(std::string_view text) {
  Guard guard;
  TREADLE_TRY(guard.condition, parse_expr(text));
  std::vector<std::string> symbols;
  collect_symbols(guard.condition, symbols);
  for (std::string& symbol : symbols) {
    auto reference = parse_source(symbol);
    if (!reference)
      return Error(ErrorCode::unsupported_file,
                   concat("guard '", text.substr(0, 160), "': ", reference.error().message()));
    guard.sources.push_back({std::move(symbol), std::move(*reference)});
  }
  return guard;
}

}  // namespace treadle::inline v0
