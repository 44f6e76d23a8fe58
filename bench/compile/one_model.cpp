// A program that loads a model and runs it with the few kernels that it needs, header-only.
#include <span>
#include <string>

#include <treadle/cpu/elementwise.hpp>
#include <treadle/cpu/linear.hpp>
#include <treadle/model/model.hpp>

using Cpu = treadle::cpu::Backend;

treadle::Result<treadle::Model<>::Outputs> load_and_run(
    const std::string& path, std::span<const treadle::Value<Cpu>> inputs) {
  treadle::KernelRegistry<Cpu> kernels;
  treadle::cpu::add_activation_kernels(kernels);
  treadle::cpu::add_product_kernels(kernels);
  TREADLE_TRY(auto model, treadle::Model<>::load(path, kernels));
  return model.run(inputs);
}
