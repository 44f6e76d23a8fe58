// A sum of products of two labelled tensors, as one batched matrix product.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/cast_operand.hpp>
#include <treadle/cpu/linear/product.hpp>
#include <treadle/cpu/movement/copy_plan.hpp>
#include <treadle/ops/linear/einsum_equation.hpp>

namespace treadle::inline v0::cpu {

/// Labels of both and of the result are batch dimensions, labels of one and of the result its rows
/// or columns, all others are summed over. What can't be seen as a matrix is copied first.
class PairContraction {
 public:
  using Labels = treadle::detail::Labels;

  /// Everything is of `out`'s dtype. The product itself is planned by `plan`, when all scratch is
  /// reserved.
  [[nodiscard]] static PairContraction make(const TensorMeta& a, const Labels& a_labels,
                                            const TensorMeta& b, const Labels& b_labels,
                                            const TensorMeta& out, const Labels& out_labels,
                                            ScratchLayout& scratch) {
    PairContraction pair;
    Sides sides;
    sides.a = view_of(a, a_labels);
    sides.b = view_of(b, b_labels);
    sides.out = view_of(out, out_labels);
    sides.sort(out_labels);
    pair.a_ = matrix(sides, sides.a, sides.batch, sides.rows, sides.summed, out.dtype, pair.a_copy_,
                     scratch);
    pair.b_ = matrix(sides, sides.b, sides.batch, sides.summed, sides.columns, out.dtype,
                     pair.b_copy_, scratch);
    pair.c_ = matrix(sides, sides.out, sides.batch, sides.rows, sides.columns, out.dtype,
                     pair.out_copy_, scratch);
    return pair;
  }

  Status plan(PrepareContext<Backend>& context, std::size_t product_at) {
    TREADLE_TRY(product_, Product::make(context, a_, b_, c_, nullptr, product_at));
    return {};
  }

  /// The result is alpha times the sum of products plus beta times what `out` holds.
  void run(const ParallelFor& parallel_for, const std::byte* a, const std::byte* b, std::byte* out,
           std::byte* scratch, const GemmEpilogue& epilogue = GemmEpilogue()) const {
    const auto copied = [&](const Copy& copy, const std::byte* from) {
      if (!copy.exists) return from;
      copy.plan.run(parallel_for, from, scratch + copy.at);
      return static_cast<const std::byte*>(scratch + copy.at);
    };
    const std::byte* left = copied(a_copy_, a);
    const std::byte* right = copied(b_copy_, b);
    std::byte* const to = out_copy_.exists ? scratch + out_copy_.at : out;
    if (out_copy_.exists && epilogue.beta.to_bool()) out_copy_.back.run(parallel_for, out, to);
    product_.run(parallel_for, left, right, to, epilogue, scratch);
    if (out_copy_.exists) out_copy_.plan.run(parallel_for, to, out);
  }

 private:
  struct Copy {
    bool exists = false;
    std::size_t at = 0;
    CopyPlan plan, back;
  };
  struct Axis {
    std::int64_t size = 1, stride = 0;
  };
  using View = std::map<int, Axis>;

  /// Strides by label; a repeated label walks a diagonal, a size of 1 broadcasts.
  static View view_of(const TensorMeta& meta, const Labels& labels) {
    View view;
    for (std::size_t d = 0; d < labels.size(); ++d) {
      Axis& axis = view[labels[d]];
      axis.size = std::max(axis.size, meta.sizes[d]);
      if (meta.sizes[d] == 0) axis.size = 0;
      if (meta.sizes[d] != 1) axis.stride += meta.strides[d];
    }
    return view;
  }

  struct Sides {
    View a, b, out;
    Labels batch, rows, columns, summed;

    [[nodiscard]] bool has(const View& view, int label) const {
      const auto at = view.find(label);
      return at != view.end() && at->second.size != 1;
    }
    [[nodiscard]] std::int64_t size(int label) const {
      std::int64_t most = 1;
      for (const View* view : {&a, &b, &out}) {
        const auto at = view->find(label);
        if (at == view->end()) continue;
        if (at->second.size == 0) return 0;
        most = std::max(most, at->second.size);
      }
      return most;
    }
    void sort(const Labels& out_labels) {
      for (const int label : out_labels)
        (has(a, label) && has(b, label) ? batch : has(b, label) ? columns : rows).push_back(label);
      for (const View* view : {&a, &b})
        for (const auto& [label, axis] : *view)
          if (!out.contains(label) &&
              std::find(summed.begin(), summed.end(), label) == summed.end())
            summed.push_back(label);
    }
  };

  static std::int64_t stride(const View& view, int label) {
    const auto at = view.find(label);
    return at == view.end() || at->second.size == 1 ? 0 : at->second.stride;
  }

  /// The labels as one evenly spaced dimension of a view, if they are one.
  static std::optional<Axis> merged(const Sides& sides, const View& view, const Labels& labels) {
    Axis axis{1, 1};
    bool is_first = true;
    for (std::size_t i = labels.size(); i-- > 0;) {
      const std::int64_t size = sides.size(labels[i]), step = stride(view, labels[i]);
      if (size == 1) continue;
      if (is_first)
        axis.stride = step;
      else if (step != axis.stride * axis.size)
        return std::nullopt;
      is_first = false;
      axis.size *= size;
    }
    return axis;
  }

  /// A view as [batch…, first, second], through a dense copy if need be.
  static TensorMeta matrix(const Sides& sides, const View& view, const Labels& batch,
                           const Labels& first, const Labels& second, DType dtype, Copy& copy,
                           ScratchLayout& scratch) {
    TensorMeta meta;
    meta.dtype = dtype;
    const auto push = [&](std::int64_t size, std::int64_t step) {
      meta.sizes.push_back(size);
      meta.strides.push_back(step);
    };
    const auto rows = merged(sides, view, first), columns = merged(sides, view, second);
    if (rows && columns) {
      for (const int label : batch) push(sides.size(label), stride(view, label));
      push(rows->size, rows->stride);
      push(columns->size, columns->stride);
      return meta;
    }
    std::int64_t row_count = 1, column_count = 1;
    for (const Labels* labels : {&batch, &first, &second})
      for (const int label : *labels) push(sides.size(label), stride(view, label));
    for (const int label : first) row_count *= sides.size(label);
    for (const int label : second) column_count *= sides.size(label);
    const TensorMeta dense = make_meta(dtype, meta.sizes);
    copy.exists = true;
    copy.at = scratch.reserve(dense);
    copy.plan = &view == &sides.out ? CopyPlan(dense, meta) : CopyPlan(meta, dense);
    if (&view == &sides.out) copy.back = CopyPlan(meta, dense);
    Dims sizes(meta.sizes.begin(), meta.sizes.begin() + static_cast<std::ptrdiff_t>(batch.size()));
    sizes.push_back(row_count);
    sizes.push_back(column_count);
    return make_meta(dtype, std::move(sizes));
  }

  TensorMeta a_, b_, c_;
  Copy a_copy_, b_copy_, out_copy_;
  Product product_;
};

}  // namespace treadle::inline v0::cpu
