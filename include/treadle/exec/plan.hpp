// Everything that is decided before a run, for one graph and one set of input shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <treadle/analysis/specialize.hpp>
#include <treadle/exec/executable.hpp>
#include <treadle/exec/task_graph.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0 {

/// One thing to do in a run.
template <TensorBackend Backend>
struct Step {
  enum class Kind : std::uint8_t { kernel, dynamic, control };

  typename KernelEntry<Backend>::Run run = nullptr;
  const void* prepared = nullptr;
  std::uint32_t tensors = 0;  ///< where the call's pointers begin in `ExecutionPlan::call_tensors`
  std::uint32_t control = 0;  ///< which control step this is
  std::size_t scratch = 0;    ///< offset of the workspace
  std::size_t scratch_bytes = 0;
  NodeId node;
  Kind kind = Kind::kernel;
};

/// Where a tensor slot gets its storage.
enum class SlotSource : std::uint8_t {
  none,    ///< not a tensor, or made during the run
  input,   ///< the caller's tensor
  weight,  ///< an immutable weight
  state,   ///< a weight that runs change
  arena,   ///< planned memory
  result,  ///< new memory in each run, handed out
};

/// What memory a caller must bring to lend a frame its arena.
struct ArenaNeeds {
  std::size_t bytes = 0;
  std::size_t alignment = 1;  ///< of the first byte
};

/// One of the memories that a plan's arena is made of. Offsets count through all of them.
struct ArenaRegion {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

/// Immutable and shared by the frames that run it. Refers to `executable`, which it keeps alive.
template <TensorBackend Backend>
struct ExecutionPlan {
  using Tensor = typename Backend::Tensor;

  /// `call_tensors` entries: a value id, a constant (from `constant_base`), or `no_tensor`.
  static constexpr std::uint32_t constant_base = 0x8000'0000u;
  static constexpr std::uint32_t no_tensor = 0xffff'ffffu;

  /// A value's place in the arena. Values whose steps meet may have the same place: a result that
  /// takes the memory of an argument (`reuse_memory`).
  struct Placement {
    ValueId value;
    std::size_t offset = 0;
    std::size_t bytes = 0;
    std::uint32_t first_step = 0;
    std::uint32_t last_step = 0;  ///< that uses it, under any of its names
    std::uint32_t region = 0;     ///< index into `regions`
  };

  std::shared_ptr<const Executable<Backend>> executable;
  const BoundGraph* graph = nullptr;
  Specialization known;
  bool is_root = true;  ///< false for subgraphs, whose inputs are all given by the caller

  std::vector<Step<Backend>> steps;
  std::vector<std::uint32_t> call_tensors;
  std::vector<Tensor> constants;                  ///< Python numbers as 0-d tensors
  std::vector<std::shared_ptr<const void>> kept;  ///< what kernels prepared

  std::vector<SlotSource> sources;  ///< by value id, of each value's root
  std::vector<Placement> arena;
  std::size_t arena_bytes = 0;
  std::vector<ArenaRegion> regions;  ///< one, unless `ExecutorOptions::regions` names more
  /// Of a workspace beside the arena, where that is not host memory or has several regions.
  std::size_t scratch_bytes = 0;
  std::size_t lower_bound = 0;       ///< bytes that no plan could do without
  std::size_t kept_bytes = 0;        ///< memory in prepared state
  std::vector<ValueId> results;      ///< roots that get new memory in each run
  std::vector<ValueId> fixed_views;  ///< views whose root stays in place: made once a frame
  std::vector<ValueId> state_views;  ///< views of what a state holds
  std::vector<ValueId> run_views;    ///< views of inputs and results: made in each run
  /// Values made during a run that die after a step, by step. Empty without dynamic steps.
  std::vector<std::vector<ValueId>> releases;
  std::size_t control_steps = 0;
  TaskGraph tasks;  ///< empty if the steps run as they stand

  /// What a frame needs of memory that is lent to it.
  [[nodiscard]] ArenaNeeds arena_needs() const noexcept {
    if constexpr (PlannableBackend<Backend>)
      return {arena_bytes, static_cast<std::size_t>(Backend::alignment)};
    else
      return {};
  }
};

}  // namespace treadle::inline v0
