// Recorded runs as a file for chrome://tracing and ui.perfetto.dev.
#pragma once

#include <string>
#include <string_view>

#include <treadle/config.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/core/graph_id.hpp>
#include <treadle/trace/recorder.hpp>

namespace treadle::inline v0 {

/// What a trace file says of a node.
struct TraceLabel {
  std::string name;
  std::string target;   ///< the operator
  std::string inputs;   ///< dtypes and shapes
  std::string outputs;  ///< dtypes and shapes
  std::string source;   ///< line of the Python program
};

/// The record in the Trace Event Format, as one JSON object: a row for each thread, a box for each
/// run and node, which shows operator, shapes, source line and the wait in the queue when clicked.
/// Times are microseconds since the first event. `program` names the process. `label` is asked once
/// for each node; text that is not UTF-8 is mended.
[[nodiscard]] std::string chrome_trace(const Recorder& recorder, std::string_view program,
                                       FunctionRef<TraceLabel(NodeId node, GraphId graph)> label);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/trace/chrome_trace-inl.hpp>
#endif
