// A program that loads a model and runs it with the few operators and kernels that it needs,
// header-only: what `treadle inspect --emit-kernels` writes for a stack of linear layers.
#include <span>
#include <string>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/linear.hpp>
#include <treadle/model/basic_model.hpp>
#include <treadle/ops/elementwise.hpp>
#include <treadle/ops/linear.hpp>

using Cpu = treadle::cpu::Backend;

struct Layers {
  static treadle::OpSet ops() {
    treadle::OpSet ops;
    ops.add(treadle::activation_ops());
    ops.add(treadle::product_ops());
    return ops;
  }
  static treadle::Status dissolve_wrappers(treadle::GraphModule&, const treadle::OpSet&) {
    return {};
  }
};

treadle::Result<treadle::Model<>::Outputs> load_and_run(
    const std::string& path, std::span<const treadle::Value<Cpu>> inputs) {
  treadle::KernelRegistry<Cpu> kernels;
  treadle::cpu::add_activation_kernels(kernels);
  treadle::cpu::add_product_kernels(kernels);
  TREADLE_TRY(auto model,
              treadle::Model<>::load(path, kernels, treadle::ModelOptions<Cpu, Layers>{}));
  return model.run(inputs);
}
