// The engine on the stock backend and scheduler, which the compiled library holds.
#pragma once

#include <treadle/cpu/backend.hpp>
#include <treadle/exec/executor.hpp>
#include <treadle/exec/run.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/exec/take_outputs.hpp>
#include <treadle/model/model.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0 {

extern template Status run_steps(Frame<cpu::Backend>&, RunContext<cpu::Backend>&, NoTracer&);
extern template Status detail::write_back(Frame<cpu::Backend>&);
extern template class Executor<cpu::Backend, Serial, NoTracer>;
extern template class Session<cpu::Backend, Serial, NoTracer>;
extern template class Model<cpu::Backend, Serial, NoTracer>;
extern template class Executor<cpu::Backend, Inline, NoTracer>;
extern template class Session<cpu::Backend, Inline, NoTracer>;
extern template class Model<cpu::Backend, Inline, NoTracer>;

}  // namespace treadle::inline v0
