// Finds the node that makes a NaN or an infinity.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <treadle/analysis/source.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/non_finite.hpp>
#include <treadle/exec/observe.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Whether an argument itself is NaN or infinite, as in a mask that is filled with -inf.
[[nodiscard]] inline bool asks_for_non_finite(const Argument& argument) {
  const auto* real = argument.get<double>();
  if (real) return !std::isfinite(*real);
  if (const auto* items = argument.list())
    for (const auto& item : *items)
      if (asks_for_non_finite(item)) return true;
  return false;
}

}  // namespace detail

/// A tracer that names the nodes that make a NaN from inputs without one, or an infinity from
/// finite inputs. A node that is told to make infinities, as one that fills a mask with -inf, and a
/// control node, whose own nodes are watched, are not blamed. Looks at every floating input and
/// output of every node, so it is for debugging. Any number of threads and runs may be watched.
template <TensorBackend Backend>
class NanWatch {
 public:
  struct Finding {
    NodeRun at;
    std::string node;  ///< name, operator and source line
    std::size_t output = 0;
    std::string value;  ///< name of the output
    std::string what;   ///< which elements
  };

  NanWatch() : shared_(std::make_unique<Shared>()) {}

  /// In the order in which they were found; at most `limit`.
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return shared_->findings; }
  static constexpr std::size_t limit = 1000;
  /// Forgets the findings. No run may be in progress.
  void clear() { shared_ = std::make_unique<Shared>(); }

  void on_begin(const NodeRun&) noexcept {}
  void on_end(const NodeRun&) noexcept {}
  Status on_inputs(const RunningNode<Backend>& view) {
    Seen seen;
    for (const ValueId v : view.inputs())
      if (const auto* tensor = view.tensor(v)) {
        TREADLE_TRY(const auto found, find_non_finite(view.backend(), *tensor));
        seen.nan |= found.nans > 0;
        seen.infinity |= found.infinities > 0;
      }
    const std::lock_guard lock(shared_->mutex);
    shared_->seen[key(view)] = seen;
    return {};
  }
  Status on_outputs(const RunningNode<Backend>& view) {
    const auto inputs = take_inputs(view);
    if (!inputs || view.is_control()) return {};
    const bool asked = asks(view);
    for (std::size_t i = 0; i < view.node().outputs.size(); ++i) {
      const ValueId v = view.node().outputs[i];
      const auto* tensor = view.tensor(v);
      if (!tensor) continue;
      TREADLE_TRY(const auto found, find_non_finite(view.backend(), *tensor));
      const bool makes_nan = found.nans > 0 && !inputs->nan;
      const bool makes_infinity = found.infinities > 0 && !inputs->nan && !inputs->infinity;
      if (asked || (!makes_nan && !makes_infinity)) continue;
      note({view.at(), describe(view.node()), i, view.graph().value(v).name,
            to_string(found, view.backend().meta(*tensor))});
      break;
    }
    return {};
  }

 private:
  struct Seen {
    bool nan = false;
    bool infinity = false;
  };
  using Key = std::pair<const void*, NodeId>;
  struct Shared {
    std::mutex mutex;
    std::map<Key, Seen> seen;  ///< of nodes that are running
    std::vector<Finding> findings;
  };

  [[nodiscard]] static Key key(const RunningNode<Backend>& view) {
    return {view.at().run, view.at().node};
  }
  /// Views are not run and have no entry.
  std::optional<Seen> take_inputs(const RunningNode<Backend>& view) {
    const std::lock_guard lock(shared_->mutex);
    const auto found = shared_->seen.find(key(view));
    if (found == shared_->seen.end()) return std::nullopt;
    const Seen seen = found->second;
    shared_->seen.erase(found);
    return seen;
  }
  [[nodiscard]] static bool asks(const RunningNode<Backend>& view) {
    for (const auto& argument : view.node().arguments)
      if (detail::asks_for_non_finite(argument.value)) return true;
    return false;
  }
  void note(Finding finding) {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->findings.size() < limit) shared_->findings.push_back(std::move(finding));
  }

  std::unique_ptr<Shared> shared_;
};

}  // namespace treadle::inline v0
