// expect: a kernel must be callable as Status
// A function that does not fit its schema is refused with one sentence.
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

using Tensor = treadle::cpu::Tensor;

int main() {
  treadle::KernelRegistry<treadle::cpu::Backend> registry;
  registry.add<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor">(
      [](treadle::RunContext<treadle::cpu::Backend>&, const Tensor&, Tensor&) -> treadle::Status {
        return {};
      });
}
