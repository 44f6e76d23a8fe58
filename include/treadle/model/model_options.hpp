// What a program is loaded with.
#pragma once

#include <string>

#include <treadle/archive/load_limits.hpp>
#include <treadle/backend/backend.hpp>
#include <treadle/core/placement.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/exec/constant_folder.hpp>
#include <treadle/exec/custom_classes.hpp>
#include <treadle/exec/delegate.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exported/read.hpp>
#include <treadle/kernel/node_handlers.hpp>
#include <treadle/model/dialect.hpp>
#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

/// How a program file is read and run, and what its host adds to it.
template <TensorBackend Backend = cpu::Backend, class Dialect = StandardDialect>
struct ModelOptions {
  LoadLimits limits = {};
  std::string model_name = {};  ///< which of several models in a file; empty for the only one
  /// Keep Python stack traces, which error messages quote.
  NodeMetadata metadata = NodeMetadata::keep;
  OpSet ops = Dialect::ops();
  ExecutorOptions executor = {};
  FoldOptions fold = {};  ///< what of the program is computed from the weights when they are loaded
  /// Where the devices that the program names are. Devices that the backend does not have are an
  /// error unless they are mapped.
  Placement placement = {};
  NodeHandlers<Backend> handlers = {};  ///< kernels for single nodes, before the registry is asked
  Delegates<Backend> delegates = {};    ///< what runs parts that were lowered for something else
  CustomClasses<Backend> classes = {};  ///< of custom objects
};

}  // namespace treadle::inline v0
