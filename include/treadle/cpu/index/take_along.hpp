// Kernel of take_along_dim: gather with broadcasting.
#pragma once

#include <cstdint>
#include <optional>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/index/along_plan.hpp>
#include <treadle/cpu/index/found.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// Without a dimension it takes by row-major numbers.
struct TakeAlong {
  struct Prepared {
    AlongPlan plan;
    GatherLoop loop = nullptr;  ///< null: no dimension
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>& indices, std::optional<std::int64_t> dim,
                           const TensorInfo<Backend>& out) const {
    if (!dim) return Prepared{};
    TREADLE_TRY(const std::size_t d, detail::wrap(context, *dim, self.meta().rank()));
    const TensorMeta target = detail::at_least_1d(out.meta());
    const auto spread = [&](TensorMeta meta, bool keep_dim) {
      for (std::size_t i = 0; i < meta.rank(); ++i) {
        if (keep_dim && i == d) continue;
        if (meta.sizes[i] == 1) meta.strides[i] = 0;
        meta.sizes[i] = target.sizes[i];
      }
      return meta;
    };
    return Prepared{AlongPlan(spread(detail::at_least_1d(self.meta()), true),
                              spread(detail::at_least_1d(indices.meta()), false), target, d),
                    gather_loop(self.dtype())};
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& indices, Tensor& out) const {
    if (!prepared.loop) return take(context, self, indices, out);
    BadIndex bad;
    if (!prepared.plan.run(
            context.parallel_for, self.bytes(), indices.bytes(), out.bytes(), bad,
            [&](const ScatterRow& row, std::byte* dense) { return prepared.loop(row, dense); }))
      return detail::bad_index(context, bad);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
