// Checks without a result of their own: schemas and shape rules.
#pragma once

#include <treadle/ops/creation_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpTraits effect_traits = {.effect = true};

inline constexpr OpDef creation_assertion_table[] = {
    {"aten::_assert_async(Tensor self) -> ()", &rules::nothing, effect_traits, {}},
    {"aten::_assert_async.msg(Tensor self, str assert_msg) -> ()",
     &rules::nothing,
     effect_traits,
     {}},
    {"aten::_assert_scalar(Scalar self, str assert_msg) -> ()", &rules::nothing, effect_traits, {}},
    {"aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()",
     &rules::nothing,
     effect_traits,
     {}},
    {"aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()",
     &rules::nothing,
     effect_traits,
     {}},
    {"aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()",
     &rules::nothing,
     effect_traits,
     {}},
    {"aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, "
     "ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()",
     &rules::tensor_metadata,
     effect_traits,
     {}},
    {"aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor",
     &rules::new_token,
     effect_traits,
     {}},
    {"aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor",
     &rules::new_token,
     effect_traits,
     {}},
    {"aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> "
     "Tensor",
     &rules::new_token,
     effect_traits,
     {}},
    {"aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, Tensor "
     "dep_token) -> Tensor",
     &rules::new_token,
     effect_traits,
     {}},
};

}  // namespace treadle::inline v0::detail
