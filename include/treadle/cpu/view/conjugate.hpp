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
    std::size_t part = 0;     ///< bytes of a real or imaginary part
    std::int64_t turned = 0;  ///< places to conjugate: all that the result reaches, gaps included
  };

  Result<Prepared> prepare(PrepareContext<Backend>& context, const TensorInfo<Backend>& self,
                           const TensorInfo<Backend>& out) const {
    TensorMeta from = self.meta();
    const std::size_t rank = from.rank();
    if (rank < 2 || !is_complex(self.dtype()))
      return context.fail("expected complex matrices, found ", to_string(from));
    std::swap(from.sizes[rank - 2], from.sizes[rank - 1]);
    std::swap(from.strides[rank - 2], from.strides[rank - 1]);
    Prepared prepared{CopyPlan(from, out.meta()), size_of(from.dtype) / 2};
    const auto extent = storage_extent(out.meta());
    if (!extent) return context.fail("sizes ", out.meta().sizes, " do not fit into memory");
    prepared.turned = *extent - out.meta().storage_offset;
    for (std::size_t i = 0; i < rank; ++i)
      if (out.meta().sizes[i] > 1 && out.meta().strides[i] == 0)
        return context.fail("the result repeats elements, found strides ", out.meta().strides);
    return prepared;
  }
  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& self,
             Tensor& out) const {
    prepared.copy.run(context.parallel_for, self.bytes(), out.bytes());
    // The sign is the top bit of the last byte of each imaginary part.
    auto* last = out.bytes() + 2 * prepared.part - 1;
    for (std::int64_t i = 0; i < prepared.turned; ++i, last += 2 * prepared.part)
      *last ^= std::byte{0x80};
    return {};
  }
};

/// `narrow` whose start is a tensor: a view.
inline Status narrow_at(RunContext<Backend>& context, const Tensor& self, std::int64_t dim,
                        const Tensor& start, std::int64_t length, Tensor& out) {
  const auto rank = static_cast<std::int64_t>(self.rank());
  if (dim < -rank || dim >= rank) return context.fail("dimension ", dim, " is out of range");
  const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
  std::int64_t at = 0;
  visit_dtype(start.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>)
      at = static_cast<std::int64_t>(*reinterpret_cast<const T*>(start.bytes()));
  });
  TensorMeta part = self.meta();
  const std::int64_t first = at < 0 ? at + part.sizes[d] : at;
  if (length < 0 || first < 0 || first > part.sizes[d] - length)
    return context.fail("a part from ", at, " of length ", length, " is out of size ",
                        part.sizes[d]);
  part.sizes[d] = length;
  part.storage_offset += first * part.strides[d];
  out = Tensor(self.storage(), std::move(part));
  return {};
}

}  // namespace treadle::inline v0::cpu
