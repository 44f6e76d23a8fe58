// Which operators a program uses and which of them can run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <treadle/graph/graph_module.hpp>

namespace tool {

struct OperatorUse {
  std::string target;
  std::size_t count = 0;  ///< nodes in the file, subgraphs included
  bool kernel = false;    ///< false if a run would fail for want of a kernel
  bool known = true;      ///< false if not even its schema is known
};

/// What a program uses. Operators without a kernel that only appear once wrappers are dissolved are
/// listed with no nodes of the file.
struct OperatorReport {
  std::vector<OperatorUse> uses;            ///< most frequent first
  std::vector<std::string> needed_kernels;  ///< names of the kernels that a run takes, sorted
  /// Operators of the file and of what is run, with the functional forms of in-place ones, sorted.
  std::vector<std::string> operators;
  bool wrapped = false;     ///< wrappers had to be dissolved
  bool decomposed = false;  ///< operators were replaced by others
};

[[nodiscard]] OperatorReport operators_of(const treadle::GraphModule& module);

/// A header with the kernels that a program needs and no others, and with the dialect that has its
/// operators. `model` names the program in its comment.
[[nodiscard]] std::string kernels_header(const std::string& model, const OperatorReport& report);

}  // namespace tool
