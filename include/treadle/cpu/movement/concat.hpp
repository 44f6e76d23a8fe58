// Kernels that join tensors: cat, stack and their relatives.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/ops/movement/concat-inl.hpp>

namespace treadle::inline v0::cpu {

/// Copies every input into its part of the result.
struct Concat {
  using Joining = treadle::detail::movement::Joining;
  Joining joining;

  struct Piece {
    std::size_t input = 0;
    ConvertCopy copy;
  };
  using Prepared = std::vector<Piece>;
  using Inputs = std::span<const TensorInfo<Backend>>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, Inputs inputs, std::int64_t dim,
                           const TensorInfo<Backend>& out) const {
    namespace movement = treadle::detail::movement;
    const auto rank = static_cast<std::int64_t>(out.meta().rank());
    auto axis = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
    axis = movement::joined_dimension(joining, axis, out.meta().rank());
    if (axis >= out.meta().rank()) return context.fail("dimension ", dim, " is out of range");
    Prepared pieces;
    std::int64_t position = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].is_none()) return context.fail("can't join None");
      const TensorType type = to_type(inputs[i].meta());
      if (joining == Joining::cat && movement::is_skipped(type)) continue;
      const auto form = to_meta(movement::joined_form(joining, type, axis));
      TREADLE_TRY(auto copy, piece(context, *form, out.meta(), axis, position));
      pieces.push_back({i, std::move(copy)});
      position += form->sizes[axis];
    }
    return pieces;
  }
  Result<Prepared> prepare(PrepareContext<Backend>& context, Inputs inputs,
                           const TensorInfo<Backend>& out) const {
    return prepare(context, inputs, 0, out);
  }
  Status run(const Prepared& pieces, RunContext<Backend>& context,
             std::span<const Tensor* const> inputs, Tensor& out) const {
    for (const auto& piece : pieces)
      piece.copy.run(context.parallel_for, inputs[piece.input]->bytes(), out.bytes());
    return {};
  }

 private:
  static Result<ConvertCopy> piece(PrepareContext<Backend>& context, const TensorMeta& form,
                                   const TensorMeta& out, std::size_t axis, std::int64_t position) {
    TensorMeta part = out;
    if (form.rank() != out.rank())
      return context.fail("a tensor of sizes ", form.sizes, " can't be joined to ", out.sizes);
    part.sizes[axis] = form.sizes[axis];
    if (part.sizes != form.sizes || position + form.sizes[axis] > out.sizes[axis])
      return context.fail("a tensor of sizes ", form.sizes, " can't be joined to ", out.sizes);
    const auto offset =
        position * out.strides[axis] * static_cast<std::int64_t>(size_of(out.dtype));
    return ConvertCopy::make(form, part, offset);
  }
};

}  // namespace treadle::inline v0::cpu
