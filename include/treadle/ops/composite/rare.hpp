// Definitions of operators that few programs have: products with places, padding, old layouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include <treadle/ops/composite/renamed.hpp>
#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// `_trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim)`.
inline Status trilinear(Decomposition& d) {
  const auto expanded = [&](std::size_t i) {
    Operand out = d[i];
    for (const std::int64_t dim : d.integers_at(i + 3))
      out = d.call("aten::unsqueeze", {out, d.integer(dim)});
    return out;
  };
  auto out = d.call("aten::mul.Tensor", {expanded(0), expanded(1)});
  out = d.call("aten::mul.Tensor", {out, expanded(2)});
  const auto dims = d.integers_at(6);
  return d.give(dims.empty() ? out : d.call("aten::sum.dim_IntList", {out, d.integers(dims)}));
}

/// `_chunk_cat(tensors, dim, num_chunks)`: every tensor padded and cut into as many pieces, equal
/// pieces side by side.
inline Status chunk_cat(Decomposition& d) {
  const auto tensors = d.items_at(0);
  const std::int64_t chunks = d.integer_at(2, 0);
  if (tensors.empty() || chunks < 1) return d.fail("expected tensors and at least one chunk");
  auto pieces = d.make_list();
  const std::size_t dim = d.dimension(d.integer_at(1, 0), d.rank(tensors[0]));
  for (const auto& tensor : tensors) {
    const auto size = d.size(tensor, dim);
    const auto* known = size.integer();
    if (!known) return d.fail("the sizes of the tensors are not known");
    const std::int64_t length = (*known + chunks - 1) / chunks;
    const std::size_t count = 2 * (d.rank(tensor) - dim);
    const auto pad = padding(d, count, count - 1, length * chunks - *known);
    auto sizes = d.sizes(tensor, 0, dim);
    sizes.append({d.integer(chunks), d.integer(-1)});
    const auto padded = d.call("aten::constant_pad_nd", {tensor, pad});
    pieces.push_back(d.call("aten::reshape", {padded, d.size_list(sizes)}));
  }
  return d.give(
      d.call("aten::cat", {d.list(pieces), d.integer(static_cast<std::int64_t>(dim) + 1)}));
}

/// Indices with 0 where the mask says that they mean nothing.
inline Operand masked_places(Decomposition& d, Operand mask) {
  auto out = d.make_list();
  for (const auto& index : d.items_at(2)) {
    if (index.is_none()) {
      out.push_back(index);
      continue;
    }
    out.push_back(d.call("aten::where.ScalarOther", {mask, index, d.integer(0)}));
  }
  return d.list(out);
}
/// `_unsafe_masked_index(self, mask, indices, fill)`.
inline Status masked_index(Decomposition& d) {
  const auto found = d.call("aten::index.Tensor", {d[0], masked_places(d, d[1])});
  return d.give(
      d.call("aten::masked_fill.Scalar", {found, d.call("aten::logical_not", {d[1]}), d[3]}));
}
/// `_unsafe_masked_index_put_accumulate(self, mask, indices, values)`.
inline Status masked_index_add(Decomposition& d) {
  const auto values =
      d.call("aten::masked_fill.Scalar", {d[3], d.call("aten::logical_not", {d[1]}), d.integer(0)});
  return d.give(d.call("aten::index_put", {d[0], masked_places(d, d[1]), values, d.boolean(true)}));
}

/// What `embedding_renorm(self, indices, max_norm, norm_type)` multiplies with: rows in use are
/// scaled down to the largest norm.
inline Operand row_scales(Decomposition& d) {
  const auto rows = d.size(d[0], 0);
  auto used = d.call("aten::zeros", {d.size_list({rows})}, DType::bool_);
  const auto places = d.call("aten::flatten.using_ints", {d[1]});
  used = d.call("aten::index_fill.int_Scalar", {used, d.integer(0), places, d.integer(1)});
  used = d.call("aten::unsqueeze", {used, d.integer(1)});
  const auto norm =
      d.call("aten::linalg_vector_norm", {d[0], d[3], d.integers({1}), d.boolean(true)});
  const auto large = d.call("aten::logical_and", {used, d.call("aten::gt.Scalar", {norm, d[2]})});
  auto scale = d.call("aten::reciprocal", {d.call("aten::add.Tensor", {norm, d.real(1e-7)})});
  scale = d.call("aten::mul.Tensor", {scale, d[2]});
  return d.call("aten::where.ScalarOther", {large, scale, d.real(1)});
}
inline Status embedding_renorm(Decomposition& d) {
  return d.give(d.call("aten::mul.Tensor", {d[0], row_scales(d)}));
}
inline Status embedding_renorm_(Decomposition& d) {
  return d.give(d.call("aten::mul_.Tensor", {d[0], row_scales(d)}));
}

/// New sizes over the same storage, row-major.
inline Status resize_to(Decomposition& d, std::span<const std::int64_t> sizes) {
  const auto* type = d.type(d[0]);
  std::int64_t had = 1, wanted = 1;
  for (std::size_t i = 0; type && i < type->rank(); ++i) {
    const auto size = type->sizes[i].value();
    if (!size) type = nullptr;
    if (size) had *= *size;
  }
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 0; wanted *= sizes[i])
    strides[i] = std::max<std::int64_t>(wanted, 1);
  if (type && std::equal(type->sizes.begin(), type->sizes.end(), sizes.begin(), sizes.end(),
                         [](const SymInt& a, std::int64_t b) { return a.is(b); }))
    return d.give(d[0]);
  if (!type || wanted > had)
    return d.fail("a tensor can be resized to no more elements than it has");
  const auto offset = type->storage_offset.value().value_or(0);
  return d.give_as_self(d.call("aten::as_strided",
                               {d[0], d.integers(sizes), d.integers(strides), d.integer(offset)}));
}
inline Status resize(Decomposition& d) {
  if (d[1].list()) return d.fail("expected constant sizes");
  return resize_to(d, d.integers_at(1));
}
inline Status resize_as(Decomposition& d) {
  const auto sizes = d.size_list(d.sizes(d[1], 0, d.rank(d[1])));
  const auto* known = sizes.get<std::vector<std::int64_t>>();
  if (!known) return d.fail("the sizes are not known");
  return resize_to(d, *known);
}

/// `_softmax_backward_data(grad_output, output, dim, input_dtype)`.
inline Status softmax_backward(Decomposition& d) {
  const auto product = d.call("aten::mul.Tensor", {d[0], d[1]});
  const auto sum = d.call("aten::sum.dim_IntList",
                          {product, d.integers({d.integer_at(2, -1)}), d.boolean(true)});
  auto out = d.call("aten::sub.Tensor", {product, d.call("aten::mul.Tensor", {d[1], sum})});
  return d.give(d.call("aten::to.dtype", {out, d[3]}));
}
/// `max_pool2d_with_indices_backward(grad_output, self, …, indices)`.
inline Status max_pool_backward(Decomposition& d) {
  const auto flat = [&](Operand x) {
    return d.call("aten::flatten.using_ints", {x, d.integer(-2)});
  };
  auto out = flat(d.call("aten::zeros_like", {d[1]}));
  out = d.call("aten::scatter_add", {out, d.integer(-1), flat(d[7]), flat(d[0])});
  const auto sizes = d.sizes(d[1], 0, d.rank(d[1]));
  return d.give(d.call("aten::reshape", {out, d.size_list(sizes)}));
}

/// `fft_hfftn(self, s, dim, norm)` and `fft_ihfftn`: the last dimension is the Hermitian one.
inline Status hermitian_transform(Decomposition& d, bool inverse) {
  const auto sizes = d.integers_at(1);
  const std::size_t rank = d.rank(d[0]), count = sizes.empty() ? rank : sizes.size();
  auto dims = d.integers_at(2);
  if (dims.empty() && count <= rank) dims = d.all_dimensions(rank).last(count);
  if (dims.empty()) return d.fail("expected at least one dimension");
  const auto last = d.integer(dims.back());
  const auto n = sizes.empty() ? d.none() : d.integer(sizes.back());
  dims = dims.first(dims.size() - 1);
  const auto others = [&](Operand x) {
    if (dims.empty()) return x;
    const auto own = sizes.empty() ? d.none() : d.integers(sizes.first(sizes.size() - 1));
    return d.call(inverse ? "aten::fft_ifftn" : "aten::fft_fftn", {x, own, d.integers(dims), d[3]});
  };
  if (inverse) return d.give(others(d.call("aten::fft_ihfft", {d[0], n, last, d[3]})));
  return d.give(d.call("aten::fft_hfft", {others(d[0]), n, last, d[3]}));
}
inline Status hfftn(Decomposition& d) { return hermitian_transform(d, false); }
inline Status ihfftn(Decomposition& d) { return hermitian_transform(d, true); }

inline Status to_half_complex(Decomposition& d) {
  return d.give(d.as_dtype(d[0], DType::complex32));
}
/// In place with the arguments in another order.
inline Status polygamma_in_place(Decomposition& d) {
  return d.give(d.call("aten::copy_", {d[0], d.call("aten::polygamma", {d[1], d[0]})}));
}
/// `mvlgamma(self, p)`: the multivariate log-gamma function.
inline Status multivariate_log_gamma(Decomposition& d) {
  const auto p = static_cast<double>(d.integer_at(1, 1));
  if (p < 1) return d.fail("p must be positive, found ", d.integer_at(1, 1));
  Operand sum = d.real(p * (p - 1) / 4 * std::log(std::numbers::pi));
  for (double i = 0; i < p; ++i) {
    const auto term = d.call("aten::lgamma", {d.call("aten::add.Tensor", {d[0], d.real(-i / 2)})});
    sum = d.call("aten::add.Tensor", {term, sum});
  }
  return d.give(sum);
}

}  // namespace treadle::inline v0::detail::composite
