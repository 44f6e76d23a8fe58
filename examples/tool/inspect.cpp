// `treadle inspect`: what a program file holds and whether it can run.
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <treadle/model/place_archive.hpp>
#include <treadle/text/table.hpp>
#include <treadle/text/units.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "engine.hpp"
#include "inspect_json.hpp"
#include "memory_report.hpp"
#include "operators.hpp"
#include "summary.hpp"

namespace tool {
namespace {

using treadle::Align;
using treadle::bytes_text;
using treadle::ExportedArchive;
using treadle::Table;

constexpr std::string_view operands[] = {"MODEL"};
constexpr Option options[] = {
    {"--json", OptionKind::flag, "", "the report as one JSON object"},
    {"--emit-kernels", OptionKind::flag, "",
     "write a C++ header with just the kernels and operators it needs"},
    {"--memory", OptionKind::flag, "", "what is where in the planned memory, and when"},
    {"--memory-svg", OptionKind::text, "OUT.svg",
     "draw the planned memory: time right, offsets up"},
    {"--scheduler", OptionKind::choice, "serial|inline|pool",
     "whose memory plan --memory and --memory-svg show (serial)"},
    {"--inputs", OptionKind::text, "IN.npz", "plan memory for these inputs, not for the samples"},
    device_map_option,
    model_option,
};
constexpr std::string_view examples =
    "  treadle inspect model.pt2\n"
    "  treadle inspect model.pt2 --json | jq .memory\n"
    "  treadle inspect model.pt2 --memory --memory-svg arena.svg\n"
    "  treadle inspect model.pt2 --emit-kernels > model_kernels.hpp\n";

void print_file(const ExportedArchive& file) {
  fmt::print("layout:    {}, version {}\n", name(file.layout), file.archive_version);
  fmt::print("producer:  torch {}, schema {}.{}\n",
             file.torch_version.empty() ? "of unknown version" : file.torch_version,
             file.schema_major, file.schema_minor);
  if (file.model_names.size() > 1) {
    fmt::print("models:    {}", file.model_name);
    for (const auto& other : file.model_names)
      if (other != file.model_name) fmt::print(", {}", other);
    fmt::print("; this is {}\n", file.model_name);
  }
  const auto devices = treadle::devices_of(file);
  if (devices.size() > 1 || (devices.size() == 1 && !(devices[0].device == treadle::Device{})))
    for (const auto& use : devices) fmt::print("device:    {}\n", to_string(use));
  for (const auto& note : file.notes) fmt::print("note:      {}\n", note);
}

void print_ports(std::string_view title, const std::vector<Port>& ports, const std::string& tree) {
  fmt::print("\n{}: {}\n", title, tree);
  Table table({{"name"}, {"type"}});
  for (const auto& port : ports) table.add({port.name, port.type});
  if (table.size() > 0) fmt::print("{}", table.text(2));
}

void print_ranges(const treadle::GraphModule& module) {
  if (!module.ranges.empty()) fmt::print("\nsizes:\n");
  for (const auto& [symbol, range] : module.ranges)
    fmt::print("  {} from {} to {}\n", symbol,
               range.minimum ? fmt::format("{}", *range.minimum) : "any",
               range.maximum ? fmt::format("{}", *range.maximum) : "any");
  for (const auto& guard : module.guards) fmt::print("  {}\n", guard);
}

void print_weights(const WeightTotals& weights) {
  fmt::print("\nweights: {} ({} parameters, {} buffers, {} constants), {}", weights.count,
             weights.parameters, weights.buffers, weights.constants, bytes_text(weights.bytes));
  if (weights.shared > 0) fmt::print(", {} share another's storage", weights.shared);
  fmt::print("\n");
}

void print_operators(const Summary& summary) {
  std::size_t missing = 0;
  Table table({{"operator"}, {"count", Align::right}, {"kernel"}});
  for (const auto& use : summary.operators.uses) {
    missing += use.kernel ? 0 : 1;
    table.add({use.target, fmt::format("{}", use.count),
               use.kernel  ? "yes"
               : use.known ? "none"
                           : "none, not known"});
  }
  fmt::print("\noperators: {} in {} nodes, {} without a kernel\n", summary.operators.uses.size(),
             summary.nodes, missing);
  if (table.size() > 0) fmt::print("{}", table.text(2));
}

void print_memory(const Summary& summary) {
  if (!summary.memory) {
    fmt::print("\nmemory: not planned: {}\n", summary.memory_note);
    return;
  }
  fmt::print("\nmemory: planned peak {} ({} bytes), lower bound {} ({} bytes), for {}\n",
             bytes_text(summary.memory->planned_peak), summary.memory->planned_peak,
             bytes_text(summary.memory->lower_bound), summary.memory->lower_bound,
             summary.memory->inputs);
  if (summary.memory->kept > 0)
    fmt::print("        prepared weights and tables {}\n", bytes_text(summary.memory->kept));
}

void print_report(const ExportedArchive& file, const Summary& summary) {
  print_file(file);
  print_ports("inputs", summary.inputs, summary.input_tree);
  print_ports("outputs", summary.outputs, summary.output_tree);
  print_ranges(file.module);
  print_weights(summary.weights);
  print_operators(summary);
  if (!summary.mutations.empty()) fmt::print("\nmutations:\n");
  for (const auto& mutation : summary.mutations) fmt::print("  {}\n", mutation);
  print_memory(summary);
}

int emit_kernels(const std::string& path, const treadle::GraphModule& module) {
  const auto found = operators_of(module);
  fmt::print("{}", kernels_header(std::filesystem::path(path).filename().string(), found));
  std::string missing;
  for (const auto& use : found.uses)
    if (!use.kernel) missing += (missing.empty() ? "" : ", ") + use.target;
  if (missing.empty()) return good;
  return report(fmt::format("'{}': no kernel for {}; the header leaves them out", path, missing),
                failed);
}

int run(const Arguments& arguments) {
  if (arguments.has("--memory") || arguments.has("--memory-svg")) return memory_report(arguments);
  const std::string& path = arguments.operand(0);
  const std::string model = arguments.text("--model").value_or("");
  const auto file = read_model(path, model, arguments.text("--device-map"));
  if (!file) return report(file.error());
  if (arguments.has("--emit-kernels")) return emit_kernels(path, file->module);
  auto again =
      read_model(path, model, arguments.text("--device-map"));  // planning takes the program over
  if (!again) return report(again.error());
  const Summary summary = summarize(*std::move(again), arguments.text("--inputs"));
  if (arguments.has("--json"))
    fmt::print("{}", inspect_json(*file, summary));
  else
    print_report(*file, summary);
  return good;
}

constexpr Command command = {
    "inspect", operands, "Tells what a program file holds and whether it can run.",
    options,   examples, run};

}  // namespace

const Command& inspect_command() { return command; }

}  // namespace tool
