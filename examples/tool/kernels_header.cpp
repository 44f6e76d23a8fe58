// Writes the header that registers only what one program needs.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/creation.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/index.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/cpu/linear.hpp>
#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/norm.hpp>
#include <treadle/cpu/pad.hpp>
#include <treadle/cpu/pool.hpp>
#include <treadle/cpu/random.hpp>
#include <treadle/cpu/reduction.hpp>
#include <treadle/cpu/sort.hpp>
#include <treadle/cpu/view.hpp>

#include "common.hpp"
#include "operators.hpp"

namespace tool {
namespace {

/// A family with a header of its own. What no family of the list has is taken from all kernels.
struct Family {
  std::string_view header;
  std::string_view function;
  treadle::KernelRegistry<Backend> (*make)();
};

const Family families[] = {
    {"treadle/cpu/copy.hpp", "copy_kernels", treadle::cpu::copy_kernels},
    {"treadle/cpu/creation.hpp", "creation_kernels", treadle::cpu::creation_kernels},
    {"treadle/cpu/creation.hpp", "assertion_kernels", treadle::cpu::assertion_kernels},
    {"treadle/cpu/elementwise.hpp", "elementwise_kernels", treadle::cpu::elementwise_kernels},
    {"treadle/cpu/index.hpp", "index_kernels", treadle::cpu::index_kernels},
    {"treadle/cpu/linear.hpp", "linear_kernels", treadle::cpu::linear_kernels},
    {"treadle/cpu/movement.hpp", "movement_kernels", treadle::cpu::movement_kernels},
    {"treadle/cpu/norm.hpp", "norm_kernels", treadle::cpu::norm_kernels},
    {"treadle/cpu/pad.hpp", "pad_kernels", treadle::cpu::pad_kernels},
    {"treadle/cpu/pool.hpp", "pool_kernels", treadle::cpu::pool_kernels},
    {"treadle/cpu/random.hpp", "random_kernels", treadle::cpu::random_kernels},
    {"treadle/cpu/reduction.hpp", "reduction_kernels", treadle::cpu::reduction_kernels},
    {"treadle/cpu/sort.hpp", "sort_kernels", treadle::cpu::sort_kernels},
    {"treadle/cpu/view.hpp", "view_kernels", treadle::cpu::view_kernels},
    {"treadle/cpu/kernels.hpp", "kernels", treadle::cpu::kernels},
};

/// Names by family, in the order of the table.
std::map<const Family*, std::vector<std::string>> by_family(
    const std::vector<std::string>& kernels) {
  std::map<const Family*, std::vector<std::string>> sorted;
  std::set<std::string> left(kernels.begin(), kernels.end());
  for (const Family& family : families) {
    const auto registry = family.make();
    std::erase_if(left, [&](const std::string& name) {
      if (!registry.contains(name)) return false;
      sorted[&family].push_back(name);
      return true;
    });
  }
  return sorted;
}

}  // namespace

std::string kernels_header(const std::string& model, const std::vector<std::string>& kernels) {
  const auto sorted = by_family(kernels);
  std::string text = fmt::format(
      "// The kernels of '{}', as `treadle inspect --emit-kernels` found them.\n#pragma once\n\n"
      "#include <initializer_list>\n#include <string_view>\n\n#include <treadle/cpu/backend.hpp>\n",
      model);
  std::set<std::string_view> headers;
  for (const auto& [family, names] : sorted) headers.insert(family->header);
  for (const auto header : headers) text += fmt::format("#include <{}>\n", header);
  text +=
      "#include <treadle/kernel/registry.hpp>\n\n"
      "/// For `treadle::Model<>::load(path, model_kernels())`.\n"
      "[[nodiscard]] inline treadle::KernelRegistry<treadle::cpu::Backend> model_kernels() {\n"
      "  using Registry = treadle::KernelRegistry<treadle::cpu::Backend>;\n"
      "  Registry kernels;\n"
      "  [[maybe_unused]] const auto take = [&](const Registry& family,\n"
      "                                         std::initializer_list<std::string_view> names) {\n"
      "    for (const auto name : names)\n"
      "      if (const auto* kernel = family.find(name)) kernels.add_entry(*kernel);\n"
      "  };\n";
  for (const auto& [family, names] : sorted) {
    text += fmt::format("  take(treadle::cpu::{}(), {{", family->function);
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("{}\n      \"{}\"", i == 0 ? "" : ",", names[i]);
    text += "});\n";
  }
  return text + "  return kernels;\n}\n";
}

}  // namespace tool
