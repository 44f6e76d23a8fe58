// The engine on a pool of threads.
#include <treadle/sched/thread_pool.hpp>

#include "engine_of.hpp"

namespace tool {

treadle::Result<std::unique_ptr<Engine>> make_pool_engine(treadle::ExportedArchive archive,
                                                          const EngineOptions& options) {
  return make_engine_on(std::move(archive), std::make_unique<treadle::ThreadPool>(options.threads),
                        options.probe);
}

}  // namespace tool
