// Kernels of views that need new memory: conjugate transposes, parts that start at a tensor.
#pragma once

#include <complex>
#include <cstdint>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// `adjoint` of complex matrices: transposed, with negated imaginary parts.
struct ConjugateTranspose {
  struct Prepared {
    CopyPlan copy;
    std::size_t part = 0;  ///< bytes of a real or imaginary part
    std::int64_t count = 0;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>& out) const {
    TensorMeta from = self.meta();
    const std::size_t rank = from.rank();
    if (rank < 2 || !is_complex(self.dtype()))
      return context.fail("expected complex matrices, found ", to_string(from));
    std::swap(from.sizes[rank - 2], from.sizes[rank - 1]);
    std::swap(from.strides[rank - 2], from.strides[rank - 1]);
    Prepared prepared{CopyPlan(from, out.meta()), size_of(from.dtype) / 2, element_count(from)};
    const auto extent = storage_extent(out.meta());
    if (!extent || *extent - out.meta().storage_offset != prepared.count)
      return context.fail("the result must be dense, found strides ", out.meta().strides);
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    prepared.copy.run(context.parallel_for, self.bytes(), out.bytes());
    // The sign is the top bit of the last byte of each imaginary part.
    auto* last = out.bytes() + 2 * prepared.part - 1;
    for (std::int64_t i = 0; i < prepared.count; ++i, last += 2 * prepared.part)
      *last ^= std::byte{0x80};
    return {};
  }
};

/// `narrow` whose start is a tensor.
struct NarrowAt {
  struct Prepared {
    CopyPlan copy;
    std::int64_t stride = 0;  ///< bytes from one position to the next
    std::int64_t size = 0, length = 0;
    DType start = DType::int64;
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           std::int64_t dim, const TensorInfo<Backend>& start, std::int64_t length,
                           const TensorInfo<Backend>& out) const {
    const auto rank = static_cast<std::int64_t>(self.meta().rank());
    if (dim < -rank || dim >= rank) return context.fail("dimension ", dim, " is out of range");
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
    TensorMeta part = self.meta();
    part.sizes[d] = length;
    const auto strides = CopyPlan::byte_strides(self.meta());
    return Prepared{CopyPlan(part, out.meta()), strides[d], self.meta().sizes[d], length,
                    start.dtype()};
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             const Tensor& start, Tensor& out) const {
    std::int64_t at = 0;
    visit_dtype(prepared.start, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_integral_v<T>)
        at = static_cast<std::int64_t>(*reinterpret_cast<const T*>(start.bytes()));
    });
    const std::int64_t first = at < 0 ? at + prepared.size : at;
    if (first < 0 || first > prepared.size - prepared.length)
      return context.fail("a part from ", at, " of length ", prepared.length, " is out of size ",
                          prepared.size);
    prepared.copy.run(context.parallel_for, self.bytes() + first * prepared.stride, out.bytes());
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
