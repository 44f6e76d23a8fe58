// The check of what factorizations of matrices report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu::detail {

/// `aten::_linalg_check_errors`: fails if an element of `info`, int32, is not 0.
struct CheckInfo {
  struct Prepared {
    std::string api;
    LoopNest nest;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& info,
                           std::string_view api, bool) const {
    if (info.dtype() != DType::int32)
      return context.fail("expected an int32 tensor, found ", name(info.dtype()));
    Prepared prepared{std::string(api), {}};
    TREADLE_TRY(prepared.nest, make_nest({&info.meta()}));
    return prepared;
  }

  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& info) const {
    std::int32_t found = 0;
    std::byte* bases[] = {info.bytes()};
    for_each_run(prepared.nest, bases, 0, prepared.nest.count,
                 [&](std::byte* const* at, const std::int64_t* strides, std::int64_t n) {
                   for (std::int64_t i = 0; i < n && found == 0; ++i)
                     found = *reinterpret_cast<const std::int32_t*>(at[0] + i * strides[0]);
                 });
    if (found == 0) return {};
    if (found < 0) return context.fail(prepared.api, ": argument ", -found, " is not valid");
    return context.fail(prepared.api,
                        ": a matrix is singular, not positive definite or does not converge, found "
                        "at place ",
                        found);
  }
};

}  // namespace treadle::inline v0::cpu::detail
