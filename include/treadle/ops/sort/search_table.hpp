// Searching sorted sequences.
#pragma once

#include <treadle/ops/op_def.hpp>
#include <treadle/ops/sort/search_rules.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpDef search_table[] = {
    {"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool "
     "out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
     &rules::search_rule},
    {"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool "
     "out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
     &rules::search_rule},
    {"aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, "
     "bool right=False) -> Tensor",
     &rules::search_rule},
    {"aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, "
     "bool right=False) -> Tensor",
     &rules::search_rule},
    {"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool "
     "assume_unique=False, bool invert=False) -> Tensor",
     &rules::isin_rule},
    {"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool "
     "assume_unique=False, bool invert=False) -> Tensor",
     &rules::isin_rule},
    {"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool "
     "assume_unique=False, bool invert=False) -> Tensor",
     &rules::isin_rule},
};

}  // namespace treadle::inline v0::detail
