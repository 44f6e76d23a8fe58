// Conditions on inputs that an exporter writes as Python text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/symbolic/expr.hpp>

namespace treadle::inline v0 {

/// One step from an input to what is inside it.
struct PathElement {
  enum class Kind : std::uint8_t { key, index, attribute };

  Kind kind = Kind::key;
  std::string name{};      ///< of keys and attributes
  std::int64_t index = 0;  ///< of indices

  friend bool operator==(const PathElement&, const PathElement&) = default;
};

/// What a source such as `L['args'][0]['k'].size()[1]` reads: in `L` (the arguments by name), at
/// the path `'args'`, 0, `'k'`, the size of dimension 1.
struct SourceReference {
  enum class What : std::uint8_t { value, size, stride, storage_offset };

  std::string root{};
  std::vector<PathElement> path{};
  What what = What::value;
  std::int64_t dimension = 0;  ///< of `size` and `stride`

  friend bool operator==(const SourceReference&, const SourceReference&) = default;
};

/// Reads a source; anything else is a `corrupt_file` error, a call with no meaning here
/// `unsupported_file`.
[[nodiscard]] Result<SourceReference> parse_source(std::string_view text);

/// A condition whose symbols are sources.
struct Guard {
  /// A symbol of the condition with what it reads.
  struct Source {
    std::string symbol;
    SourceReference reference;
  };

  Expr condition;
  std::vector<Source> sources;  ///< each symbol once, in order of first appearance
};

/// Reads a guard such as `L['y'].size()[0] == L['x'].size()[0] // 2`. Errors are those of
/// `parse_expr` and `parse_source`; a symbol that is not a source is `unsupported_file`.
[[nodiscard]] Result<Guard> parse_guard(std::string_view text);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/symbolic/guard-inl.hpp>
#endif
