// The table behind `attention_ops`.
#pragma once

#include <treadle/ops/attention.hpp>
#include <treadle/ops/attention/attention_rules.hpp>

namespace treadle::inline v0 {

namespace detail {
inline constexpr OpDef attention_table[] = {
    {"aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? "
     "attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool "
     "enable_gqa=False) -> Tensor",
     &rules::attention_rule},
    {"aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, "
     "float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> "
     "(Tensor output, Tensor logsumexp)",
     &rules::flash_attention_rule},
};
}  // namespace detail

TREADLE_INLINE std::span<const OpDef> attention_ops() { return detail::attention_table; }

}  // namespace treadle::inline v0
