// expect: this kernel's schema text is malformed
// A schema without a result is a typing mistake.
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

int main() {
  treadle::KernelRegistry<treadle::cpu::Backend> registry;
  registry.add<"aten::relu(Tensor self)">(
      [](treadle::RunContext<treadle::cpu::Backend>&, const treadle::cpu::Tensor&,
         treadle::cpu::Tensor&) -> treadle::Status { return {}; });
}
