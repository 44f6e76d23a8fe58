// What `treadle inspect` tells of a program file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exported/exported_archive.hpp>

#include "operators.hpp"

namespace tool {

/// An input or output, trees flattened.
struct Port {
  std::string name;
  std::string kind;   ///< `tensor`, `sym_int`, `constant`, …
  std::string dtype;  ///< of tensors
  std::vector<std::string> sizes;
  std::string type;  ///< the three above in one
};

struct WeightTotals {
  std::size_t count = 0;
  std::size_t parameters = 0;
  std::size_t buffers = 0;
  std::size_t constants = 0;
  std::size_t shared = 0;   ///< names whose storage an earlier name has
  std::uint64_t bytes = 0;  ///< shared storages once
};

struct PlannedMemory {
  std::size_t planned_peak = 0;  ///< bytes of the arena
  std::size_t lower_bound = 0;   ///< what no plan could do without
  std::size_t kept = 0;          ///< prepared weights and tables
  std::string inputs;            ///< where the inputs' sizes come from
};

struct Summary {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::string input_tree;
  std::string output_tree;
  std::vector<std::string> mutations;  ///< `buffer 'count'`
  WeightTotals weights;
  OperatorReport operators;
  std::size_t nodes = 0;
  std::optional<PlannedMemory> memory;
  std::string memory_note;  ///< why there is no plan
};

/// Never fails: what can't be planned has a note. Takes weights over from the archive.
[[nodiscard]] Summary summarize(treadle::ExportedArchive archive,
                                const std::optional<std::string>& inputs);

}  // namespace tool
