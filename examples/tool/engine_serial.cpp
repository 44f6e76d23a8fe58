// The engine on one thread, in order.
#include <treadle/sched/serial.hpp>

#include "engine_of.hpp"

namespace tool {

treadle::Result<std::unique_ptr<Engine>> make_serial_engine(treadle::ExportedArchive archive,
                                                            const EngineOptions& options) {
  return make_engine_on(std::move(archive), std::make_unique<treadle::Serial>(), options.probe);
}

}  // namespace tool
