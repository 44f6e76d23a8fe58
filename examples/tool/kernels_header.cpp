// Writes the header that brings only what one program needs.
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include <treadle/cpu/attention.hpp>
#include <treadle/cpu/conv.hpp>
#include <treadle/cpu/copy.hpp>
#include <treadle/cpu/counting.hpp>
#include <treadle/cpu/creation.hpp>
#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/fft.hpp>
#include <treadle/cpu/index.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/cpu/linalg.hpp>
#include <treadle/cpu/linear.hpp>
#include <treadle/cpu/movement.hpp>
#include <treadle/cpu/norm.hpp>
#include <treadle/cpu/pad.hpp>
#include <treadle/cpu/pool.hpp>
#include <treadle/cpu/quantized.hpp>
#include <treadle/cpu/random.hpp>
#include <treadle/cpu/recurrent.hpp>
#include <treadle/cpu/reduction.hpp>
#include <treadle/cpu/sort.hpp>
#include <treadle/cpu/upsample.hpp>
#include <treadle/cpu/view.hpp>
#include <treadle/ops/attention.hpp>
#include <treadle/ops/conv.hpp>
#include <treadle/ops/counting.hpp>
#include <treadle/ops/creation.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/fft.hpp>
#include <treadle/ops/index.hpp>
#include <treadle/ops/linalg.hpp>
#include <treadle/ops/linear.hpp>
#include <treadle/ops/movement.hpp>
#include <treadle/ops/norm.hpp>
#include <treadle/ops/pad.hpp>
#include <treadle/ops/pool.hpp>
#include <treadle/ops/quantized.hpp>
#include <treadle/ops/recurrent.hpp>
#include <treadle/ops/reduction.hpp>
#include <treadle/ops/sort.hpp>
#include <treadle/ops/upsample.hpp>
#include <treadle/ops/view.hpp>

#include "common.hpp"
#include "operators.hpp"

namespace tool {
namespace {

using treadle::OpDef;
using Registry = treadle::KernelRegistry<treadle::cpu::Backend>;

/// Kernels that are compiled together: `treadle/cpu/{header}.hpp` declares the function. What no
/// other family of the list has is taken from all kernels.
struct KernelFamily {
  std::string_view header;
  std::string_view function;
  Registry (*make)();
};

template <void (*Add)(Registry&)>
Registry registry_of() {
  Registry registry;
  Add(registry);
  return registry;
}

namespace cpu = treadle::cpu;
const KernelFamily kernel_families[] = {
    {"attention", "add_attention_kernels", registry_of<cpu::add_attention_kernels>},
    {"conv", "add_conv_kernels", registry_of<cpu::add_conv_kernels>},
    {"copy", "copy_kernels", cpu::copy_kernels},
    {"counting", "counting_kernels", cpu::counting_kernels},
    {"creation", "creation_kernels", cpu::creation_kernels},
    {"creation", "assertion_kernels", cpu::assertion_kernels},
    {"elementwise", "add_arithmetic_kernels", registry_of<cpu::add_arithmetic_kernels>},
    {"elementwise", "add_compare_kernels", registry_of<cpu::add_compare_kernels>},
    {"elementwise", "add_math_kernels", registry_of<cpu::add_math_kernels>},
    {"elementwise", "add_special_kernels", registry_of<cpu::add_special_kernels>},
    {"elementwise", "add_activation_kernels", registry_of<cpu::add_activation_kernels>},
    {"elementwise", "add_select_kernels", registry_of<cpu::add_select_kernels>},
    {"elementwise", "add_conjugate_kernels", registry_of<cpu::add_conjugate_kernels>},
    {"fft", "add_fft_kernels", registry_of<cpu::add_fft_kernels>},
    {"index", "add_index_select_kernels", registry_of<cpu::add_index_select_kernels>},
    {"index", "add_advanced_index_kernels", registry_of<cpu::add_advanced_index_kernels>},
    {"index", "add_scatter_kernels", registry_of<cpu::add_scatter_kernels>},
    {"index", "add_index_accumulate_kernels", registry_of<cpu::add_index_accumulate_kernels>},
    {"index", "add_mask_kernels", registry_of<cpu::add_mask_kernels>},
    {"index", "add_embedding_bag_kernels", registry_of<cpu::add_embedding_bag_kernels>},
    {"linalg", "add_factor_kernels", registry_of<cpu::add_factor_kernels>},
    {"linalg", "add_spectral_kernels", registry_of<cpu::add_spectral_kernels>},
    {"linear", "add_product_kernels", registry_of<cpu::add_product_kernels>},
    {"linear", "add_contraction_kernels", registry_of<cpu::add_contraction_kernels>},
    {"linear", "add_grouped_kernels", registry_of<cpu::add_grouped_kernels>},
    {"movement", "add_join_kernels", registry_of<cpu::add_join_kernels>},
    {"movement", "add_arrange_kernels", registry_of<cpu::add_arrange_kernels>},
    {"movement", "add_grid_kernels", registry_of<cpu::add_grid_kernels>},
    {"norm", "norm_kernels", cpu::norm_kernels},
    {"pad", "pad_kernels", cpu::pad_kernels},
    {"pool", "pool_kernels", cpu::pool_kernels},
    {"quantized", "add_quantized_kernels", registry_of<cpu::add_quantized_kernels>},
    {"random", "random_kernels", cpu::random_kernels},
    {"recurrent", "add_recurrent_kernels", registry_of<cpu::add_recurrent_kernels>},
    {"reduction", "add_reduction_kernels", registry_of<cpu::add_reduction_kernels>},
    {"reduction", "add_softmax_kernels", registry_of<cpu::add_softmax_kernels>},
    {"reduction", "add_scan_kernels", registry_of<cpu::add_scan_kernels>},
    {"reduction", "add_loss_kernels", registry_of<cpu::add_loss_kernels>},
    {"sort", "add_order_kernels", registry_of<cpu::add_order_kernels>},
    {"sort", "add_search_kernels", registry_of<cpu::add_search_kernels>},
    {"sort", "add_unique_kernels", registry_of<cpu::add_unique_kernels>},
    {"upsample", "add_upsample_kernels", registry_of<cpu::add_upsample_kernels>},
    {"upsample", "add_grid_sampler_kernels", registry_of<cpu::add_grid_sampler_kernels>},
    {"view", "add_reshape_kernels", registry_of<cpu::add_reshape_kernels>},
    {"view", "add_view_copy_kernels", registry_of<cpu::add_view_copy_kernels>},
    {"view", "add_view_scatter_kernels", registry_of<cpu::add_view_scatter_kernels>},
    {"kernels", "kernels", cpu::kernels},
};

/// Definitions that are compiled together: `treadle/ops/{header}.hpp` declares the function.
struct OpFamily {
  std::string_view header;
  std::string_view function;
  std::span<const OpDef> (*definitions)();
};

const OpFamily op_families[] = {
    {"attention", "attention_ops", treadle::attention_ops},
    {"conv", "conv_ops", treadle::conv_ops},
    {"counting", "counting_ops", treadle::counting_ops},
    {"creation", "creation_ops", treadle::creation_ops},
    {"creation", "random_ops", treadle::random_ops},
    {"creation", "assertion_ops", treadle::assertion_ops},
    {"elementwise", "arithmetic_ops", treadle::arithmetic_ops},
    {"elementwise", "compare_ops", treadle::compare_ops},
    {"elementwise", "math_ops", treadle::math_ops},
    {"elementwise", "special_ops", treadle::special_ops},
    {"elementwise", "activation_ops", treadle::activation_ops},
    {"elementwise", "select_ops", treadle::select_ops},
    {"elementwise", "copy_ops", treadle::copy_ops},
    {"fft", "fft_ops", treadle::fft_ops},
    {"index", "index_ops", treadle::index_ops},
    {"linalg", "linalg_ops", treadle::linalg_ops},
    {"linear", "product_ops", treadle::product_ops},
    {"linear", "contraction_ops", treadle::contraction_ops},
    {"linear", "grouped_ops", treadle::grouped_ops},
    {"movement", "movement_ops", treadle::movement_ops},
    {"norm", "norm_ops", treadle::norm_ops},
    {"pad", "pad_ops", treadle::pad_ops},
    {"pool", "pool_ops", treadle::pool_ops},
    {"pool", "fractional_pool_ops", treadle::fractional_pool_ops},
    {"quantized", "quantized_ops", treadle::quantized_ops},
    {"recurrent", "recurrent_ops", treadle::recurrent_ops},
    {"reduction", "reduction_ops", treadle::reduction_ops},
    {"reduction", "softmax_ops", treadle::softmax_ops},
    {"reduction", "scan_ops", treadle::scan_ops},
    {"reduction", "loss_ops", treadle::loss_ops},
    {"reduction", "class_loss_ops", treadle::class_loss_ops},
    {"reduction", "distance_ops", treadle::distance_ops},
    {"sort", "sort_ops", treadle::sort_ops},
    {"sort", "search_ops", treadle::search_ops},
    {"sort", "unique_ops", treadle::unique_ops},
    {"upsample", "upsample_ops", treadle::upsample_ops},
    {"view", "view_ops", treadle::view_ops},
    {"view", "view_copy_ops", treadle::view_copy_ops},
};

/// The needed kernels of each family, in the order of the table.
std::map<const KernelFamily*, std::vector<std::string>> by_family(
    const std::vector<std::string>& kernels) {
  std::map<const KernelFamily*, std::vector<std::string>> sorted;
  std::set<std::string> left(kernels.begin(), kernels.end());
  for (const KernelFamily& family : kernel_families) {
    const auto registry = family.make();
    std::erase_if(left, [&](const std::string& name) {
      if (!registry.contains(name)) return false;
      sorted[&family].push_back(name);
      return true;
    });
  }
  return sorted;
}

/// The families that define one of the operators.
std::vector<const OpFamily*> families_of(const std::vector<std::string>& operators) {
  const std::set<std::string_view> wanted(operators.begin(), operators.end());
  std::vector<const OpFamily*> found;
  for (const OpFamily& family : op_families)
    for (const OpDef& definition : family.definitions())
      if (wanted.contains(definition.name())) {
        found.push_back(&family);
        break;
      }
  return found;
}

std::string kernels_text(const std::map<const KernelFamily*, std::vector<std::string>>& sorted) {
  std::string text =
      "/// The kernels that the program runs.\n"
      "[[nodiscard]] inline treadle::KernelRegistry<treadle::cpu::Backend> model_kernels() {\n"
      "  using Registry = treadle::KernelRegistry<treadle::cpu::Backend>;\n"
      "  Registry kernels;\n"
      "  [[maybe_unused]] const auto take = [&](const Registry& family,\n"
      "                                         std::initializer_list<std::string_view> names) {\n"
      "    for (const auto name : names)\n"
      "      if (const auto* kernel = family.find(name)) kernels.add_entry(*kernel);\n"
      "  };\n";
  if (!sorted.empty()) text += "  Registry family;\n";
  for (const auto& [family, names] : sorted) {
    if (family->function.starts_with("add_"))
      text += fmt::format("  family = {{}};\n  treadle::cpu::{}(family);\n", family->function);
    else
      text += fmt::format("  family = treadle::cpu::{}();\n", family->function);
    text += "  take(family, {";
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("{}\n      \"{}\"", i == 0 ? "" : ",", names[i]);
    text += "});\n";
  }
  return text + "  return kernels;\n}\n";
}

/// `families` are ignored where all operators may come up.
std::string dialect_text(const OperatorReport& report,
                         const std::vector<const OpFamily*>& families) {
  std::string text =
      "\n/// The operators that the program has.\n"
      "struct ModelDialect {\n"
      "  static treadle::OpSet ops() {\n";
  if (report.decomposed) {
    // What a definition leads to may itself be defined by others.
    text += "    return treadle::standard_ops();\n";
  } else {
    text += "    treadle::OpSet ops;\n";
    for (const auto* family : families)
      text += fmt::format("    ops.add(treadle::{}());\n", family->function);
    text += "    return ops;\n";
  }
  text += "  }\n";
  if (report.wrapped)
    text +=
        "  static treadle::Status dissolve_wrappers(treadle::GraphModule& module,\n"
        "                                           const treadle::OpSet& ops) {\n"
        "    return treadle::dissolve_wrappers(module, ops);\n"
        "  }\n";
  else
    text +=
        "  static treadle::Status dissolve_wrappers(treadle::GraphModule&, const treadle::OpSet&) "
        "{\n"
        "    return {};  // it has none\n"
        "  }\n";
  return text + "};\n";
}

}  // namespace

std::string kernels_header(const std::string& model, const OperatorReport& report) {
  const auto kernels = by_family(report.needed_kernels);
  const auto families = families_of(report.operators);
  std::set<std::string> headers = {"cpu/backend", "kernel/registry", "model/basic_model"};
  for (const auto& [family, names] : kernels) headers.insert(fmt::format("cpu/{}", family->header));
  if (report.decomposed) headers.insert("ops/standard");
  if (!report.decomposed)
    for (const auto* family : families) headers.insert(fmt::format("ops/{}", family->header));
  if (report.wrapped) headers.insert("model/dissolve_wrappers");
  std::string text = fmt::format(
      "// The kernels and operators of '{}', as `treadle inspect --emit-kernels` found them:\n"
      "//\n"
      "//   using Options = treadle::ModelOptions<treadle::cpu::Backend, ModelDialect>;\n"
      "//   auto model = treadle::Model<>::load(path, model_kernels(), Options{{}});\n"
      "#pragma once\n\n"
      "#include <initializer_list>\n#include <string_view>\n\n",
      model);
  for (const auto& header : headers) text += fmt::format("#include <treadle/{}.hpp>\n", header);
  return text + "\n" + kernels_text(kernels) + dialect_text(report, families);
}

}  // namespace tool
