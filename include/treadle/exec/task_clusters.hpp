// Puts steps together into tasks that are worth a thread's attention.
#pragma once

#include <span>

#include <treadle/config.hpp>
#include <treadle/exec/task_graph.hpp>

namespace treadle::inline v0 {
/// Turns steps into tasks: `costs` are their estimated times in nanoseconds. Gives an empty graph
/// if the steps had better run as a plain loop. Near linear in the number of edges.
[[nodiscard]] TaskGraph make_tasks(const Dependencies& edges, std::span<const double> costs,
                                   const TaskOptions& options);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/task_clusters-inl.hpp>
#endif
