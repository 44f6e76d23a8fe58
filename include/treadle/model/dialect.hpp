// Which operators the programs that a host loads may have.
#pragma once

#include <concepts>

#include <treadle/core/result.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// A class of static functions that says what programs are made of. A host that loads programs of
/// one kind names a small one, so that nothing else is compiled into it; `treadle inspect
/// --emit-kernels` writes the one that a program needs.
///
///     struct MyDialect {
///       static OpSet ops();  // definitions of the operators
///       static Status dissolve_wrappers(GraphModule& module, const OpSet& ops);
///     };
///
/// `dissolve_wrappers` replaces nodes that only wrap others, see `StandardDialect`; programs
/// without any need nothing done.
template <class D>
concept Dialect = requires(GraphModule& module, const OpSet& ops) {
  { D::ops() } -> std::same_as<OpSet>;
  { D::dissolve_wrappers(module, ops) } -> std::same_as<Status>;
};

/// Everything that treadle knows; defined in standard_dialect.hpp.
struct StandardDialect;

}  // namespace treadle::inline v0
