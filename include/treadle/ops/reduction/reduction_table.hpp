// The plain reductions.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/reduction/reduction_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef reduction_table[] = {
    {"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", &rules::sum_rule},
    {"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     &rules::sum_rule},
    {"aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     &rules::sum_rule},
    {"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", &rules::mean_rule},
    {"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     &rules::mean_rule},
    {"aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     &rules::mean_rule},
    {"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", &rules::sum_rule},
    {"aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor",
     &rules::sum_rule},
    {"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", &rules::extreme_rule},
    {"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", &rules::extreme_rule},
    {"aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, "
     "Tensor max)",
     &rules::two_extremes_rule},
    {"aten::_aminmax(Tensor self) -> (Tensor, Tensor)", &rules::two_extremes_rule},
    {"aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)",
     &rules::two_extremes_rule},
    {"aten::max(Tensor self) -> Tensor", &rules::extreme_rule},
    {"aten::min(Tensor self) -> Tensor", &rules::extreme_rule},
    {"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
     "indices)",
     &rules::value_and_place_rule},
    {"aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
     "indices)",
     &rules::value_and_place_rule},
    {"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", &rules::place_rule},
    {"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", &rules::place_rule},
    {"aten::any(Tensor self) -> Tensor", &rules::logic_rule},
    {"aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", &rules::logic_rule},
    {"aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
     &rules::logic_rule},
    {"aten::all(Tensor self) -> Tensor", &rules::logic_rule},
    {"aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", &rules::logic_rule},
    {"aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
     &rules::logic_rule},
    {"aten::_is_all_true(Tensor self) -> Tensor", &rules::logic_rule},
    {"aten::_is_any_true(Tensor self) -> Tensor", &rules::logic_rule},
    {"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", &rules::count_rule},
    {"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", &rules::count_rule},
    {"aten::var(Tensor self, bool unbiased=True) -> Tensor", &rules::variance_rule},
    {"aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
     "Tensor",
     &rules::variance_rule},
    {"aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
     "bool keepdim=False) -> Tensor",
     &rules::variance_rule},
    {"aten::std(Tensor self, bool unbiased=True) -> Tensor", &rules::variance_rule},
    {"aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
     "Tensor",
     &rules::variance_rule},
    {"aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
     "bool keepdim=False) -> Tensor",
     &rules::variance_rule},
    {"aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool "
     "keepdim=False) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? "
     "correction=None, bool keepdim=False) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool "
     "keepdim=False) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? "
     "correction=None, bool keepdim=False) -> (Tensor, Tensor)",
     &rules::variance_and_mean_rule},
    {"aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", &rules::norm_rule},
    {"aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> "
     "Tensor",
     &rules::norm_rule},
    {"aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
     &rules::norm_rule},
    {"aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
     "ScalarType dtype) -> Tensor",
     &rules::norm_rule},
    {"aten::native_norm(Tensor self, Scalar p=2) -> Tensor", &rules::norm_rule},
    {"aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool "
     "keepdim, ScalarType? dtype) -> Tensor",
     &rules::norm_rule},
    {"aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool "
     "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     &rules::norm_rule},
    {"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
     &rules::logsumexp_rule},
    {"aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
     &rules::logsumexp_rule},
};

}  // namespace treadle::inline v0::detail
