// Shape rules of factorizations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/promotion.hpp>
#include <treadle/ops/rules.hpp>

namespace treadle::inline v0::rules {

/// Batches of column-major matrices, as LAPACK writes them.
[[nodiscard]] inline TensorType column_major(DType dtype, SymDims sizes, Device device) {
  TensorType type = make_type(dtype, std::move(sizes), device);
  const std::size_t rank = type.rank();
  if (rank < 2) return type;
  type.strides[rank - 2] = 1;
  type.strides[rank - 1] = type.sizes[rank - 2].is(0) ? SymInt(1) : type.sizes[rank - 2];
  return type;
}

/// What is wrong with a matrix argument, if anything is.
[[nodiscard]] inline Status check_matrix(const InferContext& context, std::size_t i,
                                         bool square = false) {
  const TensorType& type = context.tensor(i);
  if (type.rank() < 2) return context.fail("expected at least two dimensions, found ", type.rank());
  const DType real = real_dtype(type.dtype);
  if (real != DType::float32 && real != DType::float64)
    return context.fail("not defined for ", name(type.dtype));
  const SymInt rows = type.sizes[type.rank() - 2], columns = type.sizes.back();
  if (square && rows.known() && columns.known() && *rows.value() != *columns.value())
    return context.fail("expected square matrices, found sizes ", to_string(type.sizes));
  return {};
}

[[nodiscard]] inline SymDims batch_of(const TensorType& type, std::size_t core = 2) {
  return {type.sizes.begin(), type.sizes.end() - static_cast<std::ptrdiff_t>(core)};
}
[[nodiscard]] inline SymDims joined(SymDims batch, std::initializer_list<SymInt> core) {
  batch.insert(batch.end(), core.begin(), core.end());
  return batch;
}
/// The smaller of the two sizes of a matrix.
[[nodiscard]] inline SymInt lesser_size(const TensorType& type) {
  return min(type.sizes[type.rank() - 2], type.sizes.back());
}
[[nodiscard]] inline TensorType no_result(const TensorType& like, DType dtype) {
  return make_type(dtype, {0}, like.device);
}

/// One matrix of the sizes of the argument, then numbers of a dtype, one a matrix.
template <bool Info>
Status square_factor_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType& a = context.tensor(0);
  context.add(column_major(a.dtype, a.sizes, a.device));
  if constexpr (Info) context.add(make_type(DType::int32, batch_of(a), a.device));
  return {};
}

template <bool Logarithm>
Status determinant_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType& a = context.tensor(0);
  context.add(make_type(a.dtype, batch_of(a), a.device));
  if constexpr (Logarithm) context.add(make_type(real_dtype(a.dtype), batch_of(a), a.device));
  context.add(column_major(a.dtype, a.sizes, a.device));
  context.add(make_type(DType::int32, joined(batch_of(a), {a.sizes.back()}), a.device));
  return {};
}

inline Status lu_factor_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  context.add(column_major(a.dtype, a.sizes, a.device));
  context.add(make_type(DType::int32, joined(batch_of(a), {lesser_size(a)}), a.device));
  context.add(make_type(DType::int32, batch_of(a), a.device));
  return {};
}

inline Status lu_unpack_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  const SymInt rows = a.sizes[a.rank() - 2], columns = a.sizes.back(), least = lesser_size(a);
  const bool data = context.boolean(2), pivots = context.boolean(3);
  const auto matrix = [&](bool wanted, const SymInt& m, const SymInt& n) {
    context.add(wanted ? make_type(a.dtype, joined(batch_of(a), {m, n}), a.device)
                       : no_result(a, a.dtype));
  };
  matrix(pivots, rows, rows);
  matrix(data, rows, least);
  matrix(data, least, columns);
  return {};
}

/// Broadcast batches of two matrix arguments with the last sizes of the second.
[[nodiscard]] inline Result<SymDims> solution_sizes(const InferContext& context, std::size_t a,
                                                    std::size_t b) {
  const TensorType &first = context.tensor(a), &second = context.tensor(b);
  TREADLE_TRY(auto sizes, broadcast_sizes(context, batch_of(first), batch_of(second)));
  return joined(std::move(sizes), {second.sizes[second.rank() - 2], second.sizes.back()});
}

/// Is B a vector a matrix A, rather than a matrix?
[[nodiscard]] inline bool is_vector_side(const TensorType& a, const TensorType& b) {
  if (b.rank() == 1) return true;
  if (b.rank() + 1 != a.rank()) return false;
  for (std::size_t d = 0; d < b.rank(); ++d)
    if (!(a.sizes[d] == b.sizes[d])) return false;
  return true;
}

inline Status solve_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType &a = context.tensor(0), &b = context.tensor(1);
  const bool left = context.boolean(2);
  SymDims sizes = joined(batch_of(a), {a.sizes.back()});
  if (!is_vector_side(a, b)) {
    TREADLE_CHECK(check_matrix(context, 1));
    TREADLE_TRY(sizes, solution_sizes(context, 0, 1));
    const SymInt shared = sizes[sizes.size() - (left ? 2 : 1)];
    if (shared.known() && a.sizes.back().known() && *shared.value() != *a.sizes.back().value())
      return context.fail("sizes ", to_string(a.sizes), " and ", to_string(b.sizes), " do not fit");
  } else if (!left) {
    return context.fail("a vector has no place on the left of a matrix");
  }
  context.add(left ? column_major(a.dtype, sizes, a.device) : make_type(a.dtype, sizes, a.device));
  context.add(column_major(a.dtype, a.sizes, a.device));
  context.add(make_type(DType::int32, joined(batch_of(a), {a.sizes.back()}), a.device));
  context.add(make_type(DType::int32, batch_of(a), a.device));
  return {};
}

/// A solution of systems with the matrix at `A` and the right-hand sides at `B`.
template <std::size_t A, std::size_t B>
Status solution_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, A, context.schema().name != "aten::linalg_lu_solve"));
  TREADLE_CHECK(check_matrix(context, B));
  TREADLE_TRY(auto sizes, solution_sizes(context, A, B));
  const TensorType& b = context.tensor(B);
  const int left = context.schema().find("left");
  const bool on_left = left < 0 || context.schema().name == "aten::linalg_solve_triangular" ||
                       context.boolean(static_cast<std::size_t>(left));
  context.add(on_left ? column_major(b.dtype, sizes, b.device)
                      : make_type(b.dtype, sizes, b.device));
  return {};
}

inline Status triangular_solve_rule(InferContext& context) {
  TREADLE_CHECK((solution_rule<1, 0>(context)));
  TREADLE_TRY(auto sizes, solution_sizes(context, 0, 1));
  context.add(column_major(context.tensor(1).dtype, sizes, context.tensor(1).device));
  return {};
}

inline Status qr_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  const auto mode = context.string(1);
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return context.fail("mode must be 'reduced', 'complete' or 'r', found '", mode, "'");
  const SymInt rows = a.sizes[a.rank() - 2], columns = a.sizes.back();
  const SymInt inner = mode == "complete" ? rows : lesser_size(a);
  context.add(mode == "r" ? no_result(a, a.dtype)
                          : column_major(a.dtype, joined(batch_of(a), {rows, inner}), a.device));
  context.add(column_major(a.dtype, joined(batch_of(a), {inner, columns}), a.device));
  return {};
}

inline Status geqrf_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  context.add(column_major(a.dtype, a.sizes, a.device));
  context.add(make_type(a.dtype, joined(batch_of(a), {lesser_size(a)}), a.device));
  return {};
}

inline Status householder_product_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  context.add(column_major(a.dtype, a.sizes, a.device));
  return {};
}

inline Status eigh_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType& a = context.tensor(0);
  context.add(make_type(real_dtype(a.dtype), joined(batch_of(a), {a.sizes.back()}), a.device));
  context.add(context.boolean(2) ? column_major(a.dtype, a.sizes, a.device)
                                 : no_result(a, a.dtype));
  return {};
}

inline Status svd_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  const TensorType& a = context.tensor(0);
  const bool full = context.boolean(1), vectors = context.boolean(2);
  const SymInt rows = a.sizes[a.rank() - 2], columns = a.sizes.back(), least = lesser_size(a);
  const auto matrix = [&](const SymInt& m, const SymInt& n) {
    return vectors ? column_major(a.dtype, joined(batch_of(a), {m, n}), a.device)
                   : no_result(a, a.dtype);
  };
  context.add(matrix(rows, full ? rows : least));
  context.add(make_type(real_dtype(a.dtype), joined(batch_of(a), {least}), a.device));
  context.add(matrix(full ? columns : least, columns));
  return {};
}

inline Status eig_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType& a = context.tensor(0);
  const DType dtype = complex_dtype(a.dtype);
  context.add(make_type(dtype, joined(batch_of(a), {a.sizes.back()}), a.device));
  context.add(column_major(dtype, a.sizes, a.device));
  return {};
}

inline Status ldl_factor_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0, true));
  const TensorType& a = context.tensor(0);
  context.add(column_major(a.dtype, a.sizes, a.device));
  context.add(make_type(DType::int32, joined(batch_of(a), {a.sizes.back()}), a.device));
  context.add(make_type(DType::int32, batch_of(a), a.device));
  return {};
}

/// `ormqr`: like the matrix (argument 2).
inline Status orthogonal_product_rule(InferContext& context) {
  TREADLE_CHECK(check_matrix(context, 0));
  TREADLE_CHECK(check_matrix(context, 2));
  const TensorType& c = context.tensor(2);
  context.add(column_major(c.dtype, c.sizes, c.device));
  return {};
}

/// Also for half precision.
inline Status matrix_exponential_rule(InferContext& context) {
  const TensorType& a = context.tensor(0);
  if (a.dtype != DType::float16 && a.dtype != DType::bfloat16)
    TREADLE_CHECK(check_matrix(context, 0, true));
  if (a.rank() < 2) return context.fail("expected at least two dimensions, found ", a.rank());
  context.add(make_type(a.dtype, a.sizes, a.device));
  return {};
}

}  // namespace treadle::inline v0::rules
