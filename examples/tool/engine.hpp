// A loaded program behind one interface, whatever scheduler it runs on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/plan.hpp>
#include <treadle/exec/stepper.hpp>
#include <treadle/exported/exported_archive.hpp>
#include <treadle/graph/graph_module.hpp>

#include "common.hpp"
#include "probe.hpp"

namespace tool {

using Plan = treadle::ExecutionPlan<Backend>;

/// Inputs and outputs that stay in place: the fastest way to run again and again.
class EngineSession {
 public:
  virtual ~EngineSession() = default;
  virtual treadle::Status run() noexcept = 0;
  /// Runs node by node; the session must outlive it.
  virtual treadle::Stepper<Backend> stepper() = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const treadle::GraphModule& module() const = 0;
  virtual treadle::Result<std::vector<Value>> run(std::span<const Value> inputs) = 0;
  /// The engine must outlive the session.
  virtual treadle::Result<std::unique_ptr<EngineSession>> session(
      std::span<const Value> inputs) = 0;
  virtual treadle::Result<std::shared_ptr<const Plan>> plan_for(std::span<const Value> inputs) = 0;
};

struct EngineOptions {
  std::string scheduler = "serial";  ///< `serial`, `inline` or `pool`
  std::size_t threads = 0;           ///< of the pool; 0 for one a hardware thread
  Probe* probe = nullptr;            ///< looks at every node; must outlive the engine
};

/// Reads a program file and puts its devices where `device_map` says (`cuda=cpu`). Errors name the
/// file.
treadle::Result<treadle::ExportedArchive> read_model(
    const std::string& path, const std::string& model_name,
    const std::optional<std::string>& device_map = {});
/// Binds a program to all of treadle's kernels.
treadle::Result<std::unique_ptr<Engine>> make_engine(treadle::ExportedArchive archive,
                                                     const EngineOptions& options);

treadle::Result<std::unique_ptr<Engine>> make_serial_engine(treadle::ExportedArchive archive,
                                                            const EngineOptions& options);
treadle::Result<std::unique_ptr<Engine>> make_inline_engine(treadle::ExportedArchive archive,
                                                            const EngineOptions& options);
treadle::Result<std::unique_ptr<Engine>> make_pool_engine(treadle::ExportedArchive archive,
                                                          const EngineOptions& options);

}  // namespace tool
