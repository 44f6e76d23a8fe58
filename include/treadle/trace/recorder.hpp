// Records when and where every node ran.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <treadle/core/graph_id.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/trace/clock.hpp>
#include <treadle/trace/lanes.hpp>
#include <treadle/trace/ready_times.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

struct RecorderOptions {
  std::size_t threads = 32;              ///< threads that may record; others are turned away
  std::size_t events_a_thread = 16'384;  ///< the last ones are kept
};

/// One node, or one whole run if `at.node` is invalid. Times are nanoseconds of a steady clock.
struct TraceEvent {
  static constexpr std::int64_t no_wait = -1;

  NodeRun at;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t queue_wait = no_wait;  ///< from ready to begin, where a scheduler has a queue
};

/// A tracer that keeps what happened, in one ring of fixed size a thread: recording takes no lock
/// and allocates nothing. Records nothing until `reset` makes room. Any number of threads and runs
/// may record at once; read when none is in progress.
class Recorder {
 public:
  /// Forgets everything and makes room. No run may be in progress.
  void reset(RecorderOptions options = {}) {
    const std::size_t events = std::max<std::size_t>(options.events_a_thread, 1);
    lanes_.reset(options.threads, [&](Lane& lane) { lane.ring.resize(events); });
    ready_.reset(1024);
  }
  /// Forgets what was recorded. No run may be in progress.
  void clear() {
    lanes_.for_each([](Lane& lane) { lane.written = lane.lost = lane.depth = 0; });
  }

  /// What one thread did.
  struct Thread {
    std::vector<TraceEvent> events;  ///< by begin; what encloses others stands before them
    bool begins_runs = false;
  };
  /// The threads that recorded, those that begin runs first.
  [[nodiscard]] std::vector<Thread> threads() const {
    std::vector<Thread> all;
    std::size_t callers = 0;
    lanes_.for_each_taken([&](const Lane& lane) {
      if (lane.written == 0) return;
      all.push_back(thread_of(lane));
      if (all.back().begins_runs) std::swap(all.back(), all[callers++]);
    });
    return all;
  }

  /// Events that are lost: overwritten by later ones, nested too deeply, or of threads for which
  /// there was no room.
  [[nodiscard]] std::uint64_t dropped() const {
    std::uint64_t lost = lanes_.turned_away();
    lanes_.for_each_taken([&](const Lane& lane) {
      lost += lane.lost + lane.written - std::min<std::uint64_t>(lane.written, lane.ring.size());
    });
    return lost;
  }

  // --- called by the executor --------------------------------------------------------------------
  void on_ready(const NodeRun& at) noexcept { ready_.put(at, detail::now_in_nanoseconds()); }
  void on_begin(const NodeRun& at) noexcept {
    Lane* lane = lanes_.mine();
    if (!lane) return;
    const std::int64_t ready = ready_.take(at);
    const std::int64_t now = detail::now_in_nanoseconds();
    lane->push(at, now, ready == detail::ReadyTimes::unknown ? TraceEvent::no_wait : now - ready);
  }
  void on_end(const NodeRun&) noexcept { finish(); }
  void on_run_begin(const void* run) noexcept {
    if (Lane* lane = lanes_.mine())
      lane->push({NodeId{}, GraphId(0), run}, detail::now_in_nanoseconds(), TraceEvent::no_wait);
  }
  void on_run_end(const void*) noexcept { finish(); }

 private:
  struct Lane {
    std::vector<TraceEvent> ring;
    std::array<TraceEvent, 64> open;
    std::size_t depth = 0;
    std::uint64_t written = 0;
    std::uint64_t lost = 0;

    void push(const NodeRun& at, std::int64_t begin, std::int64_t wait) noexcept {
      if (depth < open.size())
        open[depth] = {at, begin, begin, wait};
      else
        ++lost;
      ++depth;
    }
  };

  void finish() noexcept {
    const std::int64_t now = detail::now_in_nanoseconds();
    Lane* lane = lanes_.mine();
    if (!lane || lane->depth == 0 || --lane->depth >= lane->open.size()) return;
    TraceEvent& event = lane->ring[lane->written++ % lane->ring.size()];
    event = lane->open[lane->depth];
    event.end = now;
  }

  [[nodiscard]] static Thread thread_of(const Lane& lane) {
    Thread thread;
    const auto kept = std::min<std::uint64_t>(lane.written, lane.ring.size());
    thread.events.assign(lane.ring.begin(), lane.ring.begin() + static_cast<std::ptrdiff_t>(kept));
    std::ranges::sort(thread.events, [](const TraceEvent& a, const TraceEvent& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    thread.begins_runs = std::ranges::any_of(
        thread.events, [](const TraceEvent& event) { return !event.at.node.valid(); });
    return thread;
  }

  detail::Lanes<Lane> lanes_;
  detail::ReadyTimes ready_;
};

static_assert(ProgramTracer<Recorder>);

}  // namespace treadle::inline v0
