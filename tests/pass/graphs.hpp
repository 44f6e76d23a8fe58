// Graphs from text, for tests of passes.
#pragma once

#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include <treadle/graph/lint.hpp>
#include <treadle/graph/parse.hpp>

namespace test {

inline treadle::GraphBody graph_of(std::string_view text) {
  auto graph = treadle::parse_graph(text);
  if (!graph) FAIL(graph.error().message());
  return *std::move(graph);
}

inline void check_lint(const treadle::GraphBody& graph) {
  for (const auto& problem : treadle::lint(graph)) FAIL_CHECK(problem.message());
}

}  // namespace test
