// Makes sure that the mutations which a signature lists can be copied back one after the other.
#pragma once

#include <treadle/config.hpp>
#include <treadle/graph/graph_module.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// A program without in-place nodes lists what it writes: output `x` becomes the new content of
/// buffer `b`. Adds an `aten::copy` node, which casts and broadcasts as `b.copy_(x)` does, where
///   * `x` has another dtype or other sizes than `b`, or
///   * `x` shows the storage of an input that the program writes too, so that writing one mutation
///     back would change another.
/// Outputs to the user that are `x` become what the node makes: the program that was exported
/// returned `b` there. True if anything was added.
[[nodiscard]] bool settle_mutations(GraphModule& module, const OpSet& ops);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/pass/settle_mutations-inl.hpp>
#endif
