// Reports NaNs and infinities, stores what nodes made.
#include "run_watch.hpp"

#include <cstddef>

#include <fmt/core.h>

#include <treadle/exec/non_finite.hpp>

#include "user_inputs.hpp"

namespace tool {

Probe* RunWatch::prepare(const Arguments& arguments, const Inputs& inputs) {
  watching_ = arguments.has("--watch-nan");
  record_path_ = arguments.text("--record-nodes");
  // Copied now: the program may write to them.
  if (watching_)
    if (auto copies = inputs.fresh()) inputs_ = *std::move(copies);
  if (record_path_) recorded_inputs_ = input_arrays(inputs.values());
  if (watching_) both_.add(nan_);
  if (record_path_) both_.add(record_);
  return both_.empty() ? nullptr : &both_;
}

bool RunWatch::report(const treadle::GraphModule& module) const {
  if (!watching_) return true;
  const bool inputs_ok = report_inputs(module);
  const bool nodes_ok = report_nodes();
  return inputs_ok && nodes_ok;
}

bool RunWatch::report_inputs(const treadle::GraphModule& module) const {
  bool ok = true;
  const auto inputs = user_inputs(module);
  for (std::size_t i = 0; i < inputs_.size() && i < inputs.size(); ++i) {
    const auto* tensor = inputs_[i].get_if<Tensor>();
    if (!tensor) continue;
    Backend backend;
    const auto found = treadle::find_non_finite(backend, *tensor);
    if (!found || !found->any()) continue;
    ok = false;
    fmt::print("watch: input '{}' already has {}\n", inputs[i].name,
               to_string(*found, tensor->meta()));
  }
  return ok;
}

bool RunWatch::report_nodes() const {
  const auto& findings = nan_.tracer.findings();
  if (findings.empty()) {
    fmt::print("watch: no node makes a NaN or an infinity\n");
    return true;
  }
  const auto& first = findings.front();
  fmt::print("watch: {} makes {}, in output {} '{}'\n", first.node, first.what, first.output,
             first.value);
  if (findings.size() > 1)
    fmt::print("watch: {} more such nodes or runs of nodes\n", findings.size() - 1);
  return false;
}

treadle::Status RunWatch::write() const {
  if (!record_path_) return {};
  auto arrays = recorded_inputs_;
  arrays.insert(arrays.end(), record_.arrays().begin(), record_.arrays().end());
  TREADLE_CHECK(
      treadle::write_npz(*record_path_, arrays).with_context(fmt::format("'{}'", *record_path_)));
  fmt::print("recorded {} values of nodes\n", record_.arrays().size());
  return {};
}

}  // namespace tool
