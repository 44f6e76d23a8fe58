// Definitions of layers by other layers: normalisation, convolution, attention, products.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

// --- batch normalisation -------------------------------------------------------------------------

/// The first three results of batch normalisation, with statistics that training changes.
inline OperandList normalised(Decomposition& d, Operand mean, Operand variance, bool training,
                              std::size_t momentum_at) {
  const Operand momentum = d[momentum_at], epsilon = d[momentum_at + 1];
  const auto made =
      training ? d.call_all("aten::_native_batch_norm_legit",
                            {d[0], d[1], d[2], mean, variance, d.boolean(true), momentum, epsilon})
               : d.call_all("aten::_native_batch_norm_legit_no_training",
                            {d[0], d[1], d[2], mean, variance, momentum, epsilon});
  return d.make_list(made.first(3));
}
/// What a backward pass would keep: nothing on the CPU.
inline Operand no_reserve(Decomposition& d) {
  return d.call("aten::zeros", {d.integers({0})}, DType::uint8);
}

inline Status batch_norm_functional(Decomposition& d) {
  const auto mean = d.call("aten::clone", {d[3]}), variance = d.call("aten::clone", {d[4]});
  auto made = normalised(d, mean, variance, d.boolean_at(5), 6);
  made.append({mean, variance});
  return d.give_all(made);
}
inline Status batch_norm_with_update(Decomposition& d) {
  auto made = normalised(d, d[3], d[4], true, 5);
  made.push_back(no_reserve(d));
  return d.give_all(made);
}
inline Status batch_norm_with_update_functional(Decomposition& d) {
  const auto mean = d.call("aten::clone", {d[3]}), variance = d.call("aten::clone", {d[4]});
  auto made = normalised(d, mean, variance, true, 5);
  made.append({no_reserve(d), mean, variance});
  return d.give_all(made);
}
inline Status batch_norm_no_update(Decomposition& d) {
  if (d.is_none(3) || d.is_none(4)) return d.fail("expected running statistics");
  auto made = normalised(d, d[3], d[4], false, 5);
  made.push_back(no_reserve(d));
  return d.give_all(made);
}

// --- convolution ---------------------------------------------------------------------------------

/// (time, batch, channels), weights (width, in, out).
inline Status conv_tbc(Decomposition& d) {
  const auto turn = [&](Operand x, Operand dims) { return d.call("aten::permute", {x, dims}); };
  const auto out =
      d.call("aten::conv1d", {turn(d[0], d.integers({1, 2, 0})), turn(d[1], d.integers({2, 1, 0})),
                              d[2], d.integers({1}), d.integers({d.integer_at(3, 0)})});
  return d.give(turn(out, d.integers({2, 0, 1})));
}
/// `thnn_conv2d(self, weight, kernel_size, bias, stride, padding)` and its relatives.
inline Status plain_conv2d(Decomposition& d) {
  return d.give(d.call("aten::conv2d", {d[0], d[1], d[3], d[4], d[5]}));
}
inline Status plain_conv3d(Decomposition& d) {
  return d.give(d.call("aten::conv3d", {d[0], d[1], d[3], d[4], d[5]}));
}
inline Status dilated_conv2d(Decomposition& d) {
  return d.give(d.call("aten::conv2d", {d[0], d[1], d[3], d[4], d[5], d[6]}));
}
inline Status dilated_conv3d(Decomposition& d) {
  return d.give(d.call("aten::conv3d", {d[0], d[1], d[3], d[4], d[5], d[6]}));
}
inline Status depthwise_conv2d(Decomposition& d) {
  return d.give(
      d.call("aten::conv2d", {d[0], d[1], d[3], d[4], d[5], d[6], d.size(d[0], d.rank(d[0]) - 3)}));
}

// --- products ------------------------------------------------------------------------------------

/// Products whose factors are converted first: `mm.dtype(self, mat2, out_dtype)`.
inline Status product_as(Decomposition& d, const char* target) {
  const auto as = [&](Operand x) { return d.call("aten::to.dtype", {x, d[2]}); };
  return d.give(d.call(target, {as(d[0]), as(d[1])}));
}
inline Status mm_as(Decomposition& d) { return product_as(d, "aten::mm"); }
inline Status bmm_as(Decomposition& d) { return product_as(d, "aten::bmm"); }
inline Status sum_of_product_as(Decomposition& d, const char* target) {
  const auto as = [&](Operand x) { return d.call("aten::to.dtype", {x, d[3]}); };
  return d.give(d.call(target, {as(d[0]), as(d[1]), as(d[2]), d[4], d[5]}));
}
inline Status addmm_as(Decomposition& d) { return sum_of_product_as(d, "aten::addmm"); }
inline Status baddbmm_as(Decomposition& d) { return sum_of_product_as(d, "aten::baddbmm"); }

/// Bytes times bytes, summed in 32 bits.
inline Status int_mm(Decomposition& d) {
  const auto wide = [&](Operand x) { return d.as_dtype(x, DType::int32); };
  return d.give(d.call("aten::mm", {wide(d[0]), wide(d[1])}));
}
/// `_weight_int8pack_mm(self, mat2, scales)`: rows of `mat2` are output channels.
inline Status int8_weight_mm(Decomposition& d) {
  const auto weight = d.as_dtype(d[1], d.dtype(d[0]));
  const auto product = d.call("aten::mm", {d[0], d.call("aten::t", {weight})});
  return d.give(d.call("aten::mul.Tensor", {product, d[2]}));
}

// --- attention -----------------------------------------------------------------------------------

/// `_scaled_dot_product_attention_math`: the result and the weights. The mask is added to the
/// scores, whatever its dtype.
inline Status attention_math(Decomposition& d) {
  if (d.real_at(4, 0) != 0) return d.fail("expected no dropout");
  Operand key = d[1], value = d[2];
  const std::size_t rank = d.rank(d[0]);
  const auto known = [&](Operand x, std::size_t dim) {
    const auto* type = d.type(x);
    return type && dim < type->rank() ? type->sizes[dim].value() : std::nullopt;
  };
  const auto width = known(d[0], rank - 1);
  if (d.boolean_at(8) && rank > 2) {
    const auto many = known(d[0], rank - 3), few = known(d[1], rank - 3);
    if (!many || !few || *few == 0) return d.fail("the numbers of heads are not known");
    for (Operand* x : {&key, &value})
      *x = d.call("aten::repeat_interleave.self_int", {*x, d.integer(*many / *few), d.integer(-3)});
  }
  const auto turned = d.call("aten::transpose.int", {key, d.integer(-2), d.integer(-1)});
  auto scale = d[7];
  if (scale.is_none()) {
    if (!width) return d.fail("the width of a head is not known");
    scale = d.real(1 / std::sqrt(static_cast<double>(*width)));
  }
  const auto scores = d.call("aten::mul.Tensor", {d.call("aten::matmul", {d[0], turned}), scale});
  auto masked = scores;
  if (!d.is_none(3)) masked = d.call("aten::add.Tensor", {scores, d[3]});
  if (d.boolean_at(5)) {
    const auto all =
        d.call("aten::ones", {d.size_list({d.size(scores, rank - 2), d.size(scores, rank - 1)})},
               DType::bool_);
    masked = d.call("aten::where.ScalarOther", {d.call("aten::tril", {all}), masked,
                                                d.real(-std::numeric_limits<double>::infinity())});
  }
  const auto weights = d.call("aten::_safe_softmax", {masked, d.integer(-1)});
  return d.give_all({d.call("aten::matmul", {weights, value}), weights});
}

/// `_scaled_dot_product_efficient_attention`: only its first result is for a forward pass.
inline Status attention_efficient(Decomposition& d) {
  const auto out = d.call("aten::scaled_dot_product_attention",
                          {d[0], d[1], d[2], d[3], d[5], d[6]}, {{"scale", d[7]}});
  const auto nothing = [&](DType dtype) { return d.call("aten::zeros", {d.integers({})}, dtype); };
  return d.give_all({out, nothing(DType::float32), nothing(DType::int64), nothing(DType::int64)});
}

/// `_scaled_dot_product_flash_attention`: the results for a backward pass are empty.
inline Status attention_flash(Decomposition& d) {
  const auto made = d.call_all("aten::_scaled_dot_product_flash_attention_for_cpu",
                               {d[0], d[1], d[2], d[3], d[4], d.none(), d[6]});
  const auto nothing = [&](DType dtype) { return d.call("aten::zeros", {d.integers({})}, dtype); };
  const std::size_t rank = d.rank(d[0]);
  if (rank < 2) return d.fail("expected at least two dimensions, found ", rank);
  return d.give_all({made[0], made[1], nothing(DType::int32), nothing(DType::int32),
                     d.size(d[0], rank - 2), d.size(d[1], rank - 2), nothing(DType::int64),
                     nothing(DType::int64), nothing(d.dtype(d[0]))});
}

}  // namespace treadle::inline v0::detail::composite
