// The engine on one thread, in the order of readiness.
#include <treadle/sched/inline.hpp>

#include "engine_of.hpp"

namespace tool {

treadle::Result<std::unique_ptr<Engine>> make_inline_engine(treadle::ExportedArchive archive,
                                                            const EngineOptions& options) {
  return make_engine_on(std::move(archive), std::make_unique<treadle::Inline>(), options.probe);
}

}  // namespace tool
