// What a higher-order operator's results are, as far as its subgraphs tell before a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <treadle/analysis/call_site.hpp>
#include <treadle/analysis/specialization.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0::detail {

/// One entry a result; results that depend on the run, and numbers, have none.
using ControlResults = std::vector<std::optional<TensorMeta>>;

/// Facts of one row of a tensor.
[[nodiscard]] inline InputFacts row_facts(InputFacts known) {
  if (!known.meta || known.meta->rank() == 0) return {};
  known.meta->sizes.erase(known.meta->sizes.begin());
  known.meta->strides.erase(known.meta->strides.begin());
  return known;
}

/// The same tensor without gaps: control nodes hand out their results so.
[[nodiscard]] inline std::optional<TensorMeta> packed(const std::optional<TensorMeta>& meta) {
  if (!meta) return std::nullopt;
  return make_meta(meta->dtype, meta->sizes, meta->device);
}

/// Output `i` of a subgraph.
[[nodiscard]] inline std::optional<TensorMeta> body_result(const Specialization& body,
                                                           std::size_t i) {
  const auto& outputs = body.graph->graph->outputs();
  const auto* value = i < outputs.size() ? outputs[i].value() : nullptr;
  if (!value || !value->valid() || body.facts(*value).number) return std::nullopt;
  return packed(body.facts(*value).meta);
}

/// `count` tensors, one upon the other.
[[nodiscard]] inline std::optional<TensorMeta> stacked(const std::optional<TensorMeta>& row,
                                                       std::int64_t count) {
  if (!row) return std::nullopt;
  Dims sizes = row->sizes;
  sizes.insert(sizes.begin(), count);
  return make_meta(row->dtype, sizes, row->device);
}

/// Results that are the same whichever subgraph runs.
[[nodiscard]] inline ControlResults common_results(const std::vector<Specialization>& bodies,
                                                   std::size_t count) {
  ControlResults out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = body_result(bodies.front(), i);
    for (const auto& body : bodies)
      if (!(body_result(body, i) == out[i])) out[i].reset();
  }
  return out;
}

/// The first `count` operands come out of a round as they went in, so the body's facts hold in
/// every round.
[[nodiscard]] inline bool rounds_repeat(const Specialization& body,
                                        const std::vector<InputFacts>& inputs, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (i >= inputs.size() || (inputs[i].meta && !(body_result(body, i) == packed(inputs[i].meta))))
      return false;
  return true;
}

/// What of the operands decides a loop's results.
struct ControlRounds {
  std::size_t carried = 0;            ///< operands that each round replaces
  std::optional<std::int64_t> count;  ///< rows of what a scan goes over
};

/// Results of a control node with `count` results. `inputs` are what its subgraphs were specialised
/// for.
[[nodiscard]] inline ControlResults control_results(ControlKind kind,
                                                    const std::vector<Specialization>& bodies,
                                                    const std::vector<InputFacts>& inputs,
                                                    const ControlRounds& rounds,
                                                    std::size_t count) {
  ControlResults out(count);
  if (bodies.empty()) return out;
  if (kind == ControlKind::cond) return common_results(bodies, count);
  const bool loop = kind == ControlKind::while_loop;
  const bool associative = kind == ControlKind::associative_scan;
  const Specialization& body = bodies.back();
  const std::size_t carried = associative ? count : rounds.carried;
  if (!rounds_repeat(body, inputs, carried)) return out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto result = body_result(body, i);
    if (i < rounds.carried)
      out[i] = result;
    else if (!loop && rounds.count)
      out[i] = stacked(result, *rounds.count);
  }
  return out;
}

}  // namespace treadle::inline v0::detail
