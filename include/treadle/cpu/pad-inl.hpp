// Registration of the padding kernels.
#pragma once

#include <treadle/cpu/pad.hpp>
#include <treadle/cpu/pad/pad.hpp>

namespace treadle::inline v0::cpu {

TREADLE_INLINE KernelRegistry<Backend> pad_kernels() {
  KernelRegistry<Backend> registry;
  registry.add<"aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor">(Pad{});
  registry.add<
      "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor">(
      Pad{});
  registry.add<"aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor">(Pad{PadMode::circular});
  registry.add<"aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor">(
      Pad{PadMode::reflect});
  registry.add<"aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor">(
      Pad{PadMode::reflect});
  registry.add<"aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor">(
      Pad{PadMode::reflect});
  registry.add<"aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor">(
      Pad{PadMode::replicate});
  registry.add<"aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor">(
      Pad{PadMode::replicate});
  registry.add<"aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor">(
      Pad{PadMode::replicate});
  return registry;
}

}  // namespace treadle::inline v0::cpu
