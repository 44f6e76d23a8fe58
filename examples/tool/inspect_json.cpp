// Writes the report as JSON.
#include "inspect_json.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

/// A number where it is one, else the expression as text.
Json size_json(const std::string& size) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(size.data(), size.data() + size.size(), number);
  if (code == std::errc() && end == size.data() + size.size()) return number;
  return size;
}

Json ports_json(const std::vector<Port>& ports) {
  Json list = Json::array();
  for (const auto& port : ports) {
    Json entry = {{"name", port.name}, {"kind", port.kind}, {"type", port.type}};
    if (!port.dtype.empty()) {
      entry["dtype"] = port.dtype;
      entry["sizes"] = Json::array();
      for (const auto& size : port.sizes) entry["sizes"].push_back(size_json(size));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json bound_json(const std::optional<std::int64_t>& bound) { return bound ? Json(*bound) : Json(); }

Json ranges_json(const treadle::GraphModule& module) {
  Json ranges = Json::object();
  for (const auto& [symbol, range] : module.ranges)
    ranges[symbol] = {{"minimum", bound_json(range.minimum)},
                      {"maximum", bound_json(range.maximum)}};
  return ranges;
}

Json memory_json(const Summary& summary) {
  if (!summary.memory)
    return {{"planned_peak", nullptr}, {"lower_bound", nullptr}, {"reason", summary.memory_note}};
  return {{"planned_peak", summary.memory->planned_peak},
          {"lower_bound", summary.memory->lower_bound},
          {"kept", summary.memory->kept},
          {"inputs", summary.memory->inputs}};
}

}  // namespace

std::string inspect_json(const treadle::ExportedArchive& file, const Summary& summary) {
  Json report;
  report["layout"] = name(file.layout);
  report["torch_version"] = file.torch_version;
  report["archive_version"] = file.archive_version;
  report["schema_version"] = {file.schema_major, file.schema_minor};
  report["model"] = file.model_name;
  report["models"] = file.model_names;
  report["inputs"] = ports_json(summary.inputs);
  report["input_tree"] = summary.input_tree;
  report["outputs"] = ports_json(summary.outputs);
  report["output_tree"] = summary.output_tree;
  report["ranges"] = ranges_json(file.module);
  report["guards"] = file.module.guards;
  const auto& weights = summary.weights;
  report["weights"] = {{"count", weights.count},     {"bytes", weights.bytes},
                       {"shared", weights.shared},   {"parameters", weights.parameters},
                       {"buffers", weights.buffers}, {"constants", weights.constants}};
  report["nodes"] = summary.nodes;
  report["operators"] = Json::array();
  for (const auto& use : summary.operators.uses)
    report["operators"].push_back(
        {{"target", use.target}, {"count", use.count}, {"kernel", use.kernel}});
  report["mutations"] = summary.mutations;
  report["memory"] = memory_json(summary);
  report["notes"] = file.notes;
  // Text from files need not be UTF-8.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tool
