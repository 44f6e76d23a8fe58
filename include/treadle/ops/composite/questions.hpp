// Definitions whose results or parts are read from elements: comparisons, splits at given places.
#pragma once

#include <cstddef>
#include <cstdint>

#include <treadle/ops/decomposition.hpp>

namespace treadle::inline v0::detail::composite {

/// Are the sizes of both tensors known, and different?
inline bool sizes_differ(const Decomposition& d) {
  const auto *a = d.type(d[0]), *b = d.type(d[1]);
  if (!a || !b) return false;
  if (a->rank() != b->rank()) return true;
  for (std::size_t i = 0; i < a->rank(); ++i)
    if (a->sizes[i].known() && b->sizes[i].known() && !(a->sizes[i] == b->sizes[i])) return true;
  return false;
}
inline Status equal(Decomposition& d) {
  if (sizes_differ(d)) return d.give(d.boolean(false));
  const auto same = d.call("aten::all", {d.call("aten::eq.Tensor", {d[0], d[1]})});
  return d.give(d.number(same, ValueKind::sym_bool));
}
inline Status all_close(Decomposition& d) {
  const auto near = d.call("aten::isclose", {d[0], d[1], d[2], d[3], d[4]});
  return d.give(d.number(d.call("aten::all", {near}), ValueKind::sym_bool));
}
inline Status is_nonzero(Decomposition& d) {
  return d.give(d.number(d.call("aten::ne.Scalar", {d[0], d.integer(0)}), ValueKind::sym_bool));
}

/// `tensor_split(self, indices or number of sections, dim)`: the places are read in a run.
inline Status split_at_places(Decomposition& d) {
  if (d.rank(d[1]) == 0) {
    const auto count = d.result_length(0);
    if (!count) return d.fail("the number of sections is not known");
    return d.give_all(d.call_all("aten::tensor_split.sections",
                                 {d[0], d.integer(static_cast<std::int64_t>(*count)), d[2]},
                                 *count));
  }
  const auto count = d.size(d[1], 0);
  const auto* known = count.integer();
  if (!known) return d.fail("the number of parts is not known");
  auto parts = d.make_list();
  Operand start = d.integer(0);
  for (std::int64_t i = 0; i <= *known; ++i) {
    Operand end = d.none();
    if (i < *known)
      end = d.number(d.call("aten::select.int", {d[1], d.integer(0), d.integer(i)}),
                     ValueKind::sym_int);
    parts.push_back(d.call("aten::slice.Tensor", {d[0], d[2], start, end}));
    start = end;
  }
  return d.give_all(parts);
}

}  // namespace treadle::inline v0::detail::composite
