// Definitions of chrome_trace.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/trace/chrome_trace.hpp>
#include <treadle/trace/json_text.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Writes the events of all threads, one a line.
class ChromeTraceWriter {
 public:
  ChromeTraceWriter(std::vector<Recorder::Thread> threads,
                    FunctionRef<TraceLabel(NodeId, GraphId)> label)
      : threads_(std::move(threads)), label_(label) {
    start_ = std::numeric_limits<std::int64_t>::max();
    for (const auto& thread : threads_)
      for (const auto& event : thread.events) start_ = std::min(start_, event.begin);
  }

  std::string write(std::string_view program, std::uint64_t dropped) {
    out_ = concat("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped_events\":", dropped,
                  "},\n\"traceEvents\":[\n");
    add_name("process_name", 0, program);
    std::size_t callers = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      callers += threads_[i].begins_runs ? 1 : 0;
      const auto name =
          threads_[i].begins_runs ? concat("caller ", callers) : concat("worker ", i + 1 - callers);
      out_ += ",\n";
      add_name("thread_name", i + 1, name);
      for (const auto& event : threads_[i].events) add_event(event, i + 1);
    }
    out_ += "\n]}\n";
    return std::move(out_);
  }

 private:
  void add_text(std::string_view key, std::string_view text) {
    out_ += concat('"', key, "\":");
    append_json_text(out_, text);
  }
  /// Nanoseconds as microseconds, exactly.
  void add_time(std::string_view key, std::int64_t nanoseconds) {
    const auto fraction = std::to_string(1000 + nanoseconds % 1000);
    out_ += concat('"', key, "\":", nanoseconds / 1000, '.', std::string_view(fraction).substr(1));
  }

  /// A metadata event: what a row is called.
  void add_name(std::string_view what, std::size_t thread, std::string_view name) {
    out_ +=
        concat("{\"ph\":\"M\",\"pid\":1,\"tid\":", thread, ",\"name\":\"", what, "\",\"args\":{");
    add_text("name", name);
    out_ += "}}";
  }

  /// A complete event.
  void add_event(const TraceEvent& event, std::size_t thread) {
    out_ += concat(",\n{\"ph\":\"X\",\"pid\":1,\"tid\":", thread, ',');
    add_time("ts", event.begin - start_);
    out_ += ',';
    add_time("dur", std::max<std::int64_t>(event.end - event.begin, 0));
    if (!event.at.node.valid()) {
      out_ += ",\"name\":\"run\",\"cat\":\"run\",\"args\":{}}";
      return;
    }
    const TraceLabel& label = label_of(event.at);
    out_ += ',';
    add_text("name", label.name);
    out_ += ',';
    add_text("cat", label.target);
    out_ += ",\"args\":{";
    add_text("operator", label.target);
    for (const auto& [key, text] : {std::pair("inputs", &label.inputs),
                                    {"outputs", &label.outputs},
                                    {"source", &label.source}}) {
      if (text->empty()) continue;
      out_ += ',';
      add_text(key, *text);
    }
    if (event.queue_wait != TraceEvent::no_wait) {
      out_ += ',';
      add_time("queue_wait_us", event.queue_wait);
    }
    out_ += "}}";
  }

  const TraceLabel& label_of(const NodeRun& at) {
    const auto key = std::pair(at.graph, at.node);
    const auto found = labels_.find(key);
    if (found != labels_.end()) return found->second;
    return labels_.emplace(key, label_(at.node, at.graph)).first->second;
  }

  std::vector<Recorder::Thread> threads_;
  FunctionRef<TraceLabel(NodeId, GraphId)> label_;
  std::map<std::pair<GraphId, NodeId>, TraceLabel> labels_;
  std::int64_t start_ = 0;
  std::string out_;
};

}  // namespace detail

TREADLE_INLINE std::string chrome_trace(const Recorder& recorder, std::string_view program,
                                        FunctionRef<TraceLabel(NodeId, GraphId)> label) {
  return detail::ChromeTraceWriter(recorder.threads(), label).write(program, recorder.dropped());
}

}  // namespace treadle::inline v0
