// Reads a program and picks the engine for a scheduler.
#include "engine.hpp"

#include <utility>

#include <treadle/exported/read.hpp>

namespace tool {

treadle::Result<treadle::ExportedArchive> read_model(const std::string& path,
                                                     const std::string& model_name) {
  return treadle::read_pt2(path, {}, model_name);
}

treadle::Result<std::unique_ptr<Engine>> make_engine(treadle::ExportedArchive archive,
                                                     const EngineOptions& options) {
  if (options.scheduler == "inline") return make_inline_engine(std::move(archive), options);
  if (options.scheduler == "pool") return make_pool_engine(std::move(archive), options);
  return make_serial_engine(std::move(archive), options);
}

}  // namespace tool
