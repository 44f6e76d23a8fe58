// What `treadle run` looks at besides the outputs: NaNs, infinities, every node's values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <treadle/archive/npz.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/nan_watch.hpp>
#include <treadle/graph/graph_module.hpp>

#include "arguments.hpp"
#include "inputs.hpp"
#include "node_record.hpp"
#include "probe.hpp"

namespace tool {

/// Serves `--watch-nan` and `--record-nodes`.
class RunWatch {
 public:
  /// The probe for the engine, null if neither option is given. This must outlive the engine.
  Probe* prepare(const Arguments& arguments, const Inputs& inputs);
  /// The first call is recorded.
  void end_of_call() noexcept { record_.stop(); }
  /// Prints what was found about NaNs and infinities; false if there were any.
  [[nodiscard]] bool report(const treadle::GraphModule& module) const;
  treadle::Status write() const;

 private:
  [[nodiscard]] bool report_inputs(const treadle::GraphModule& module) const;
  [[nodiscard]] bool report_nodes() const;

  bool watching_ = false;
  std::optional<std::string> record_path_;
  std::vector<Value> inputs_;
  std::vector<treadle::NamedArray> recorded_inputs_;
  NodeRecord record_;
  ProbeOf<treadle::NanWatch<Backend>> nan_;
  ProbeList both_;
};

}  // namespace tool
