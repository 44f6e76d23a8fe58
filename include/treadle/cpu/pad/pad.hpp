// Kernels that add elements around a tensor: constant, reflected, replicated, circular.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/combine.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

enum class PadMode : std::uint8_t { constant, reflect, replicate, circular };

/// The middle of the result is the tensor; what is around it follows from the mode. Negative
/// padding crops.
struct Pad {
  PadMode mode = PadMode::constant;

  struct Prepared {
    CopyPlan fill;
    std::vector<CopyPlan> copies;  ///< from the tensor
    alignas(16) std::array<std::byte, 16> value{};
  };
  using Info = TensorInfo<Backend>;
  using Numbers = std::span<const std::int64_t>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, Numbers pad,
                           const Info& out) const {
    return make(context, self.meta(), pad, mode, Scalar(0), out.meta());
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, Numbers pad,
                           const Scalar& value, const Info& out) const {
    return make(context, self.meta(), pad, mode, value, out.meta());
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& self, Numbers pad,
                           std::string_view name, std::optional<double> value,
                           const Info& out) const {
    const PadMode named = name == "reflect"     ? PadMode::reflect
                          : name == "replicate" ? PadMode::replicate
                          : name == "circular"  ? PadMode::circular
                                                : PadMode::constant;
    return make(context, self.meta(), pad, named, Scalar(value.value_or(0)), out.meta());
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    prepared.fill.run(context.parallel_for, prepared.value.data(), out.bytes());
    for (const auto& copy : prepared.copies)
      copy.run(context.parallel_for, self.bytes(), out.bytes());
    return {};
  }

 private:
  /// `size` positions of the result from `to` on that show the tensor from `from` on, `step` apart.
  struct Run {
    std::int64_t to = 0, from = 0, size = 0, step = 1;
  };

  static Result<Prepared> make(PrepareContext<Backend>& context, const TensorMeta& self,
                               Numbers pad, PadMode mode, const Scalar& value,
                               const TensorMeta& out) {
    if (pad.size() % 2 != 0 || pad.size() / 2 > self.rank() || out.rank() != self.rank())
      return context.fail("padding ", pad, " does not fit sizes ", self.sizes);
    Prepared prepared;
    if (mode == PadMode::constant) {
      if (!store_element(value, out.dtype, prepared.value.data()))
        return context.fail("can't pad elements of ", name(out.dtype));
      prepared.fill =
          CopyPlan(size_of(out.dtype), out.sizes, Dims(out.rank(), 0), CopyPlan::byte_strides(out));
    }
    std::vector<std::vector<Run>> runs(self.rank());
    for (std::size_t i = 0; i < self.rank(); ++i) {
      const std::size_t back = self.rank() - 1 - i;
      const std::int64_t before = 2 * back < pad.size() ? pad[2 * back] : 0;
      runs[i] = runs_of(mode, self.sizes[i], before, out.sizes[i]);
    }
    combine_runs(prepared.copies, self, out, runs);
    return prepared;
  }

  /// Where position `p` of the result comes from; nothing for a constant.
  static std::int64_t source(PadMode mode, std::int64_t p, std::int64_t size) {
    if (p >= 0 && p < size) return p;
    switch (mode) {
      case PadMode::reflect:
        return std::clamp<std::int64_t>(p < 0 ? -p : 2 * size - 2 - p, 0, size - 1);
      case PadMode::replicate: return p < 0 ? 0 : size - 1;
      case PadMode::circular: return (p % size + size) % size;
      default: return -1;
    }
  }

  /// Cuts the positions of the result into runs of even steps.
  static std::vector<Run> runs_of(PadMode mode, std::int64_t size, std::int64_t before,
                                  std::int64_t out_size) {
    std::vector<Run> runs;
    if (size == 0) return runs;
    // Circular padding repeats what cropping leaves.
    const std::int64_t after = out_size - size - before;
    const std::int64_t skipped = mode == PadMode::circular ? -std::min<std::int64_t>(before, 0) : 0;
    if (mode == PadMode::circular) size -= skipped - std::min<std::int64_t>(after, 0);
    if (size <= 0) return runs;
    before += skipped;
    for (std::int64_t p = 0; p < out_size; ++p) {
      const std::int64_t found = source(mode, p - before, size);
      const std::int64_t from = found < 0 ? found : found + skipped;
      if (from < 0) continue;
      Run* last = runs.empty() ? nullptr : &runs.back();
      const bool next = last && last->to + last->size == p;
      if (next && last->size == 1) {
        last->step = from - last->from;
        // A step of any other size starts a run of its own.
        if (last->step >= -1 && last->step <= 1) {
          ++last->size;
          continue;
        }
        last->step = 1;
      } else if (next && last->from + last->size * last->step == from) {
        ++last->size;
        continue;
      }
      runs.push_back({p, from, 1, 1});
    }
    return runs;
  }

  /// One copy for each combination of runs of the dimensions.
  static void combine_runs(std::vector<CopyPlan>& copies, const TensorMeta& self,
                           const TensorMeta& out, const std::vector<std::vector<Run>>& runs) {
    const Dims from = CopyPlan::byte_strides(self), to = CopyPlan::byte_strides(out);
    std::vector<std::size_t> at(runs.size(), 0);
    for (const auto& list : runs)
      if (list.empty()) return;
    while (true) {
      Dims sizes, from_strides;
      std::int64_t from_offset = 0, to_offset = 0;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = runs[i][at[i]];
        sizes.push_back(run.size);
        from_strides.push_back(from[i] * run.step);
        from_offset += run.from * from[i];
        to_offset += run.to * to[i];
      }
      copies.emplace_back(size_of(out.dtype), sizes, from_strides, to, from_offset, to_offset);
      std::size_t i = runs.size();
      while (i > 0 && ++at[i - 1] == runs[i - 1].size()) at[--i] = 0;
      if (i == 0) return;
    }
  }
};

}  // namespace treadle::inline v0::cpu
