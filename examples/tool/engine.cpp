// Reads a program and picks the engine for a scheduler.
#include "engine.hpp"

#include <utility>

#include <treadle/core/placement.hpp>
#include <treadle/exported/read.hpp>
#include <treadle/model/place_archive.hpp>

namespace tool {

treadle::Result<treadle::ExportedArchive> read_model(const std::string& path,
                                                     const std::string& model_name,
                                                     const std::optional<std::string>& device_map) {
  TREADLE_TRY(const auto placement,
              treadle::Placement::parse(device_map.value_or("")).with_context("--device-map"));
  TREADLE_TRY(auto archive, treadle::read_pt2(path, {}, model_name));
  TREADLE_CHECK(treadle::place_archive(archive, placement));
  return archive;
}

treadle::Result<std::unique_ptr<Engine>> make_engine(treadle::ExportedArchive archive,
                                                     const EngineOptions& options) {
  if (options.scheduler == "inline") return make_inline_engine(std::move(archive), options);
  if (options.scheduler == "pool") return make_pool_engine(std::move(archive), options);
  return make_serial_engine(std::move(archive), options);
}

}  // namespace tool
