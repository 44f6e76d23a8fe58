// Keeps the outputs of every node of a run.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/archive/npz.hpp>
#include <treadle/core/result.hpp>

#include "probe.hpp"

namespace tool {

/// A probe that copies what the nodes of the outermost graph make, by the names of the values; a
/// node with one output has its own name.
class NodeRecord final : public Probe {
 public:
  treadle::Status on_outputs(const RunningNode& node) override;

  /// Later runs add nothing.
  void stop() noexcept { stopped_ = true; }
  [[nodiscard]] const std::vector<treadle::NamedArray>& arrays() const noexcept { return arrays_; }
  [[nodiscard]] const treadle::NpyArray* find(std::string_view name) const;

 private:
  std::mutex mutex_;
  bool stopped_ = false;
  std::vector<treadle::NamedArray> arrays_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// The inputs as `in0`, `in1`, …; those that are no arrays are left out.
[[nodiscard]] std::vector<treadle::NamedArray> input_arrays(const std::vector<Value>& inputs);

}  // namespace tool
