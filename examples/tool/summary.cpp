// Gathers what there is to say about a program file.
#include "summary.hpp"

#include <set>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "engine.hpp"
#include "inputs.hpp"
#include "user_inputs.hpp"

namespace tool {
namespace {

using treadle::ExportedArchive;
using treadle::GraphModule;
using treadle::OutputKind;
using treadle::TreeKind;
using treadle::TreeSpec;

Port port_of(std::string name, const treadle::GraphValue& value) {
  Port port{std::move(name), std::string(treadle::name(value.kind)), {}, {}, type_text(value)};
  if (!value.tensor) return port;
  port.dtype = treadle::name(value.tensor->dtype);
  for (const auto& size : value.tensor->sizes) port.sizes.push_back(to_string(size));
  return port;
}

std::vector<Port> inputs_of(const GraphModule& module) {
  std::vector<Port> ports;
  for (const auto& input : user_inputs(module))
    ports.push_back(input.value.valid() ? port_of(input.name, module.graph.value(input.value))
                                        : Port{input.name, "constant", {}, {}, input.type});
  return ports;
}

bool is_result(const GraphModule& module, std::size_t output) {
  if (output >= module.signature.outputs.size()) return true;
  const auto kind = module.signature.outputs[output].kind;
  return kind == OutputKind::user_output || kind == OutputKind::loss_output;
}

std::vector<Port> outputs_of(const GraphModule& module) {
  std::vector<Port> ports;
  for (std::size_t i = 0; i < module.graph.outputs().size(); ++i) {
    if (!is_result(module, i)) continue;
    const auto& output = module.graph.outputs()[i];
    const auto* value = output.value();
    const std::string name = fmt::format("out{}", ports.size());
    if (value && value->valid())
      ports.push_back(port_of(name, module.graph.value(*value)));
    else
      ports.push_back(
          {name,
           "constant",
           {},
           {},
           output.constant() ? "constant " + constant_text(*output.constant()) : "None"});
  }
  return ports;
}

std::vector<std::string> mutations_of(const GraphModule& module) {
  std::vector<std::string> found;
  for (const auto& output : module.signature.outputs) {
    if (output.kind == OutputKind::buffer_mutation)
      found.push_back(fmt::format("buffer '{}'", output.target));
    else if (output.kind == OutputKind::parameter_mutation)
      found.push_back(fmt::format("parameter '{}'", output.target));
    else if (output.kind == OutputKind::user_input_mutation)
      found.push_back(fmt::format("input '{}'", output.target));
  }
  return found;
}

WeightTotals totals_of(const ExportedArchive& archive) {
  WeightTotals totals;
  std::set<std::size_t> storages;
  for (const auto& weight : archive.weights) {
    ++totals.count;
    totals.parameters += weight.kind == treadle::WeightKind::parameter;
    totals.buffers += weight.kind == treadle::WeightKind::buffer;
    totals.constants += weight.kind == treadle::WeightKind::tensor_constant;
    if (storages.insert(weight.storage_id).second)
      totals.bytes += weight.storage.size();
    else
      ++totals.shared;
  }
  return totals;
}

/// Writes a tree with the names of its leaves.
class TreeText {
 public:
  explicit TreeText(const std::vector<Port>& leaves) : leaves_(leaves) {}

  std::string text(const TreeSpec& spec) {
    if (spec.kind == TreeKind::leaf)
      return next_ < leaves_.size() ? leaves_[next_++].name : std::string("?");
    if (spec.kind == TreeKind::none) return "None";
    const bool keyed = spec.keys.size() == spec.children.size() && !spec.keys.empty();
    const bool dict = keyed && spec.kind != TreeKind::named_tuple;
    const bool list = spec.kind == TreeKind::list || spec.kind == TreeKind::deque;
    std::string out = prefix(spec) + (dict || is_dict(spec) ? "{" : list ? "[" : "(");
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
      if (i > 0) out += ", ";
      if (keyed) out += key(spec.keys[i]) + (dict ? ": " : "=");
      out += text(spec.children[i]);
    }
    if (spec.kind == TreeKind::tuple && spec.children.size() == 1) out += ",";
    return out + (dict || is_dict(spec) ? "}" : list ? "]" : ")");
  }

 private:
  static bool is_dict(const TreeSpec& spec) {
    return spec.kind == TreeKind::dict || spec.kind == TreeKind::ordered_dict ||
           spec.kind == TreeKind::default_dict;
  }
  static std::string prefix(const TreeSpec& spec) {
    const bool named = spec.kind == TreeKind::named_tuple || spec.kind == TreeKind::custom;
    return named ? spec.type_name.substr(spec.type_name.rfind('.') + 1) : std::string();
  }
  static std::string key(const treadle::TreeKey& key) {
    if (const auto* number = std::get_if<std::int64_t>(&key)) return fmt::format("{}", *number);
    return std::get<std::string>(key);
  }

  const std::vector<Port>& leaves_;
  std::size_t next_ = 0;
};

treadle::Result<PlannedMemory> plan(ExportedArchive archive,
                                    const std::optional<std::string>& npz) {
  TREADLE_TRY(const auto inputs, Inputs::make(archive, npz));
  TREADLE_TRY(const auto values, inputs.fresh());
  TREADLE_TRY(const auto engine, make_engine(std::move(archive), {}));
  TREADLE_TRY(const auto made, engine->plan_for(values));
  return PlannedMemory{made->arena_bytes, made->lower_bound, made->kept_bytes, inputs.origin()};
}

}  // namespace

Summary summarize(ExportedArchive archive, const std::optional<std::string>& inputs) {
  Summary summary;
  const GraphModule& module = archive.module;
  summary.inputs = inputs_of(module);
  summary.outputs = outputs_of(module);
  summary.input_tree = TreeText(summary.inputs).text(module.signature.in_spec);
  summary.output_tree = TreeText(summary.outputs).text(module.signature.out_spec);
  summary.mutations = mutations_of(module);
  summary.weights = totals_of(archive);
  summary.operators = operators_of(module);
  for (const auto& use : summary.operators.uses) summary.nodes += use.count;
  auto planned = plan(std::move(archive), inputs);
  if (planned)
    summary.memory = *std::move(planned);
  else
    summary.memory_note = planned.error().message();
  return summary;
}

}  // namespace tool
