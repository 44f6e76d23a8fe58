// The kernel of operators that are one product of matrices, perhaps added to something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/cpu/linear/product.hpp>
#include <treadle/cpu/movement/convert_copy.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>

namespace treadle::inline v0::cpu {

namespace detail {

/// Which arguments of an operator are multiplied, and which is added.
struct ProductForm {
  std::string_view operation, left, right, added = {};
};

inline constexpr ProductForm product_forms[] = {
    {"linear", "input", "weight", "bias"},
    {"matmul", "self", "other"},
    {"linalg_matmul", "self", "other"},
    {"mm", "self", "mat2"},
    {"bmm", "self", "mat2"},
    {"mv", "self", "vec"},
    {"dot", "self", "tensor"},
    {"addmm", "mat1", "mat2", "self"},
    {"addmv", "mat", "vec", "self"},
    {"baddbmm", "batch1", "batch2", "self"},
    {"addbmm", "batch1", "batch2", "self"},
};

constexpr const ProductForm* find_product_form(std::string_view operation) noexcept {
  for (const auto& form : product_forms)
    if (form.operation == operation) return &form;
  return nullptr;
}

/// With a dimension of size 1 put in at `at`.
inline TensorMeta unsqueezed(TensorMeta meta, std::size_t at) {
  meta.sizes.insert(meta.sizes.begin() + static_cast<std::ptrdiff_t>(at), 1);
  meta.strides.insert(meta.strides.begin() + static_cast<std::ptrdiff_t>(at), 1);
  return meta;
}

/// With the last two dimensions exchanged.
inline TensorMeta transposed(TensorMeta meta) {
  const std::size_t last = meta.rank() - 1;
  std::swap(meta.sizes[last], meta.sizes[last - 1]);
  std::swap(meta.strides[last], meta.strides[last - 1]);
  return meta;
}

/// With leading dimensions of size 1 up to `rank`.
inline TensorMeta with_rank(TensorMeta meta, std::size_t rank) {
  while (meta.rank() < rank) meta = unsqueezed(std::move(meta), 0);
  return meta;
}

/// Stretched to `sizes`, which it broadcasts to.
inline TensorMeta expanded(const TensorMeta& meta, const Dims& sizes) {
  TensorMeta wide = with_rank(meta, sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (wide.sizes[i] != sizes[i]) wide.strides[i] = 0, wide.sizes[i] = sizes[i];
  return wide;
}

}  // namespace detail

/// A plan for `planned_kernel`.
class ProductKernel {
 public:
  Status prepare(const CallArguments& call) {
    const auto& form = *detail::find_product_form(call.base_name());
    left_ = call.slot(form.left);
    right_ = call.slot(form.right);
    out_ = call.result_slot(0);
    const auto right = call.tensor(form.right);
    TensorMeta a = call.tensor(form.left).meta(), b = right.meta(), c = call.result(0);
    if (form.operation == "addbmm") {
      batch_ = a.sizes[0];
      a_step_ = a.strides[0] * static_cast<std::int64_t>(size_of(a.dtype));
      b_step_ = b.strides[0] * static_cast<std::int64_t>(size_of(b.dtype));
      a = without_first(a), b = without_first(b);
      if (batch_ == 0) a.sizes[1] = b.sizes[0] = 0, batch_ = 1;
    }
    const bool is_row = a.rank() == 1, is_column = b.rank() == 1;
    if (is_row) a = detail::unsqueezed(std::move(a), 0);
    if (is_column) b = detail::unsqueezed(std::move(b), form.operation == "linear" ? 0 : 1);
    if (form.operation == "linear") b = detail::transposed(std::move(b));
    if (is_column) c = detail::unsqueezed(c, c.rank());
    if (is_row) c = detail::unsqueezed(c, c.rank() - 1);
    const std::size_t rank = c.rank();
    const Tensor* constant = form.operation == "addbmm" ? nullptr : right.constant();
    TREADLE_TRY(product_, Product::make(call.context(), detail::with_rank(std::move(a), rank),
                                        detail::with_rank(std::move(b), rank), c, constant));
    epilogue_.alpha = call.get<Scalar>("alpha", 1);
    return form.added.empty() ? Status() : prepare_added(call, form.added, is_column);
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::byte* const out = tensors[out_]->bytes();
    if (added_ == Added::nothing && batch_ == 1) {
      product_.run(context.parallel_for, tensors[left_]->bytes(), tensors[right_]->bytes(), out,
                   epilogue_, context.scratch());
      return {};
    }
    GemmEpilogue epilogue = epilogue_;
    if (added_ == Added::bias) epilogue.column_bias = tensors[self_]->bytes();
    if (added_ == Added::copy && tensors[self_]->bytes() != out)
      copy_.run(context.parallel_for, tensors[self_]->bytes(), out);
    for (std::int64_t i = 0; i < batch_; ++i) {
      product_.run(context.parallel_for, tensors[left_]->bytes() + i * a_step_,
                   tensors[right_]->bytes() + i * b_step_, out, epilogue, context.scratch());
      epilogue.beta = 1;
      epilogue.column_bias = nullptr;
    }
    return {};
  }

 private:
  /// What becomes of `self`: part of the epilogue, or copied to the result first.
  enum class Added : std::uint8_t { nothing, bias, copy };

  static TensorMeta without_first(TensorMeta meta) {
    meta.sizes.erase(meta.sizes.begin());
    meta.strides.erase(meta.strides.begin());
    return meta;
  }

  Status prepare_added(const CallArguments& call, std::string_view argument, bool is_column) {
    const auto self = call.tensor(argument);
    if (self.is_none()) return {};
    const TensorMeta& out = call.result(0);
    epilogue_.beta = call.get<Scalar>("beta", 1);
    const bool is_zero = epilogue_.beta == Scalar(0) || epilogue_.beta == Scalar(0.0);
    if (is_zero) return {};
    self_ = call.slot(argument);
    const bool is_one = epilogue_.beta == Scalar(1) || epilogue_.beta == Scalar(1.0);
    const TensorMeta& meta = self.meta();
    if (is_one && !is_column && meta.rank() == 1 && out.rank() >= 2 &&
        meta.sizes[0] == out.sizes.back() && is_contiguous(meta)) {
      added_ = Added::bias;
      epilogue_.beta = 0;
      return {};
    }
    added_ = Added::copy;
    TREADLE_TRY(copy_, ConvertCopy::make(detail::expanded(meta, out.sizes), out));
    return {};
  }

  std::size_t left_ = 0, right_ = 0, out_ = 0, self_ = 0;
  std::int64_t batch_ = 1, a_step_ = 0, b_step_ = 0;
  Added added_ = Added::nothing;
  Product product_;
  GemmEpilogue epilogue_;
  ConvertCopy copy_;
};

}  // namespace treadle::inline v0::cpu
