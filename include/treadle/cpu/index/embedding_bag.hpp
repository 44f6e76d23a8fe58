// Kernel of embedding_bag: rows of a table, summed, averaged or maximised in bags.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/index/found.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// Computes in double; the other results are what PyTorch's CPU kernel leaves in them.
struct EmbeddingBag {
  struct Prepared {
    std::int64_t mode = 0, rows = 0, width = 0, indices = 0, bags = 0, padding = -1;
    bool include_last = false;
    ConvertLoop load = nullptr, store = nullptr;
  };
  using Info = TensorInfo<Backend>;

  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& weight,
                           const Info& indices, const Info& offsets, bool, std::int64_t mode, bool,
                           const Info& weights, bool include_last, const Info& out, const Info&,
                           const Info&, const Info&) const {
    return prepare(context, weight, indices, offsets, false, mode, false, weights, include_last,
                   std::optional<std::int64_t>(), out, out, out, out);
  }
  /// `_embedding_bag`: a negative padding index is none.
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& weight,
                           const Info& indices, const Info& offsets, bool, std::int64_t mode, bool,
                           const Info& weights, bool include_last, std::int64_t padding,
                           const Info& out, const Info&, const Info&, const Info&) const {
    return prepare(context, weight, indices, offsets, false, mode, false, weights, include_last,
                   padding < 0 ? std::nullopt : std::optional(padding), out, out, out, out);
  }
  /// `embedding_bag`: a negative padding index counts from the end.
  Result<Prepared> prepare(PrepareContext<Backend>& context, const Info& weight,
                           const Info& indices, const Info&, bool, std::int64_t mode, bool,
                           const Info& weights, bool include_last,
                           std::optional<std::int64_t> padding, const Info& out, const Info&,
                           const Info&, const Info&) const {
    Prepared prepared{mode,
                      weight.meta().sizes[0],
                      weight.meta().sizes[1],
                      element_count(indices.meta()),
                      out.meta().sizes[0],
                      padding.value_or(-1),
                      include_last,
                      load_loop(weight.dtype(), ComputeType::float64),
                      store_loop(ComputeType::float64, weight.dtype())};
    if (padding && (*padding < -prepared.rows || *padding >= prepared.rows))
      return context.fail("'padding_idx' ", *padding, " lies outside a table of ", prepared.rows,
                          " rows");
    if (padding && *padding < 0) prepared.padding += prepared.rows;
    if (!is_floating(weight.dtype()) || !prepared.load || !prepared.store)
      return context.fail("'weight' must be floating, found ", name(weight.dtype()));
    if (!weights.is_none() && (mode != 0 || element_count(weights.meta()) != prepared.indices ||
                               weights.dtype() != weight.dtype()))
      return context.fail(
          "'per_sample_weights' need mode 0, the dtype of 'weight' and one number "
          "an index");
    context.request_scratch(static_cast<std::size_t>(prepared.width) * 2 * sizeof(double));
    return prepared;
  }

  Status run(const Prepared& prepared, RunContext<Backend>& context, const Tensor& weight,
             const Tensor& indices, const Tensor& offsets, const Tensor* weights, Tensor& out,
             Tensor& offset2bag, Tensor& bag_size, Tensor& max_indices) const {
    zero(offset2bag);
    zero(bag_size);
    zero(max_indices);
    std::int64_t begin = 0;
    for (std::int64_t bag = 0; bag < prepared.bags; ++bag) {
      begin = at(offsets, bag);
      const bool last = bag + 1 == prepared.bags && !prepared.include_last;
      const std::int64_t end = last ? prepared.indices : at(offsets, bag + 1);
      if (begin < 0 || begin > end || end > prepared.indices || (bag == 0 && begin != 0))
        return context.fail("offsets must rise from 0 to at most ", prepared.indices, ", found ",
                            begin, " and ", end);
      TREADLE_CHECK(reduce(prepared, context, weight, indices, weights, bag, begin, end, out,
                           offset2bag, bag_size, max_indices));
    }
    if (prepared.mode == 1)
      for (std::int64_t bag = 0; bag < prepared.bags; ++bag)
        set(max_indices, bag, at(bag_size, bag));
    return {};
  }

 private:
  static void zero(Tensor& tensor) {
    if (tensor.count() > 0)
      std::memset(tensor.bytes(), 0,
                  static_cast<std::size_t>(tensor.count()) * size_of(tensor.dtype()));
  }
  static std::int64_t at(const Tensor& list, std::int64_t i) {
    return read_index(list.bytes() + detail::element_offset(list.meta(), i), list.dtype());
  }
  static void set(Tensor& list, std::int64_t i, std::int64_t value) {
    store_element(Scalar(value), list.dtype(),
                  list.bytes() + detail::element_offset(list.meta(), i));
  }

  static Status reduce(const Prepared& prepared, RunContext<Backend>& context, const Tensor& weight,
                       const Tensor& indices, const Tensor* weights, std::int64_t bag,
                       std::int64_t begin, std::int64_t end, Tensor& out, Tensor& offset2bag,
                       Tensor& bag_size, Tensor& max_indices) {
    auto* sum = reinterpret_cast<double*>(context.scratch());
    double* row = sum + prepared.width;
    std::fill(sum, sum + prepared.width, 0.0);
    std::int64_t count = 0;
    const auto item = static_cast<std::int64_t>(size_of(weight.dtype()));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t index = at(indices, i);
      if (index < 0 || index >= prepared.rows)
        return detail::bad_index(context, {index, prepared.rows, 0});
      if (offset2bag.count() > 0) set(offset2bag, i, bag);
      if (index == prepared.padding) continue;
      prepared.load(weight.bytes() + index * weight.strides()[0] * item, weight.strides()[1] * item,
                    reinterpret_cast<std::byte*>(row), 8, prepared.width);
      double factor = 1;
      if (weights)
        prepared.load(weights->bytes() + detail::element_offset(weights->meta(), i), 0,
                      reinterpret_cast<std::byte*>(&factor), 8, 1);
      for (std::int64_t k = 0; k < prepared.width; ++k) {
        if (prepared.mode != 2) {
          sum[k] += row[k] * factor;
        } else if (count == 0 || row[k] > sum[k]) {
          sum[k] = row[k];
          set(max_indices, bag * prepared.width + k, index);
        }
      }
      ++count;
    }
    if (prepared.mode == 1 && count > 0)
      for (std::int64_t k = 0; k < prepared.width; ++k) sum[k] /= static_cast<double>(count);
    if (prepared.mode != 0) set(bag_size, bag, count);
    prepared.store(reinterpret_cast<const std::byte*>(sum), 8,
                   out.bytes() + bag * out.strides()[0] * item, out.strides()[1] * item,
                   prepared.width);
    return {};
  }
};

}  // namespace treadle::inline v0::cpu
