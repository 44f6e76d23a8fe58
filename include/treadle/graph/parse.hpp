// Programs from the text that `print` writes.
#pragma once

#include <cstddef>
#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// How deep lists, dictionaries, trees and subgraphs may nest in graph text.
inline constexpr std::size_t max_graph_text_depth = 128;

/// Reads a graph. Line breaks and indentation carry no meaning; `#` begins a comment; types may be
/// left out. Errors name line and column: `corrupt_file` for broken syntax, `invalid_graph` for
/// names that are used before they are defined or defined twice, `limit_exceeded` by depth.
[[nodiscard]] Result<GraphBody> parse_graph(std::string_view text);

/// Reads a program: a graph with its `module` block before it. Errors as above.
[[nodiscard]] Result<GraphModule> parse_module(std::string_view text);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/parse-inl.hpp>
#endif
