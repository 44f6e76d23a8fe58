// treadle operators: what the stock backend runs, as a table by initial letter.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include <treadle/cpu/kernels.hpp>
#include <treadle/ops/standard.hpp>

#include "commands.hpp"
#include "common.hpp"

namespace tool {
namespace {

/// `aten::add.Tensor` → `add`.
std::string base_name(std::string_view target) {
  const auto colons = target.find("::");
  if (colons != std::string_view::npos) target.remove_prefix(colons + 2);
  return std::string(target.substr(0, target.find('.')));
}

/// A view needs no kernel, nor does what others define; an in-place form borrows that of the form
/// that it is named after.
bool runs(const treadle::OpDef& op, const treadle::OpSet& ops,
          const treadle::KernelRegistry<treadle::cpu::Backend>& kernels) {
  if (kernels.contains(op.name()) || kernels.contains(op.functional) || op.decompose) return true;
  const auto* functional = ops.find(op.functional);
  if (functional && functional->decompose) return true;
  const auto schema = treadle::parse_schema(op.schema);
  return op.infer && schema.result_count > 0 &&
         (schema.results[0].alias_set != 0 || op.traits.may_alias);
}

int run(const Arguments&) {
  const auto kernels = treadle::cpu::kernels();
  std::map<std::string, std::size_t> overloads;
  const auto ops = treadle::standard_ops();
  for (const auto& [name, definition] : ops)
    if (runs(*definition, ops, kernels)) ++overloads[base_name(name)];
  std::size_t total = 0;
  std::map<char, std::string> rows;
  for (const auto& [name, count] : overloads) {
    total += count;
    const bool in_place = name.size() > 1 && name.back() == '_' && name[0] != '_';
    if (in_place && overloads.contains(name.substr(0, name.size() - 1))) continue;
    std::string& row = rows[name[0] == '_' ? '_' : name[0]];
    row += (row.empty() ? "" : ", ") + name + (overloads.contains(name + "_") ? "(_)" : "");
  }
  fmt::print("{} overloads of {} operators; `(_)` marks those with an in-place form.\n\n", total,
             overloads.size());
  fmt::print("| | operators |\n|---|---|\n");
  for (const auto& [letter, row] : rows) fmt::print("| {} | {} |\n", letter, row);
  return good;
}

constexpr Command command = {
    "operators", {}, "Lists the operators that the stock kernels run.", {}, "  treadle operators\n",
    run};

}  // namespace

const Command& operators_command() { return command; }

}  // namespace tool
