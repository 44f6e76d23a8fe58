// Compiles the engine on the stock backend and schedulers.
#include <treadle/cpu/kernels.hpp>
#include <treadle/model/model.hpp>

namespace treadle::inline v0 {

template Status run_steps(Frame<cpu::Backend>&, RunContext<cpu::Backend>&, NoTracer&);
template Status detail::write_back(Frame<cpu::Backend>&);
template class Executor<cpu::Backend, Serial, NoTracer>;
template class Session<cpu::Backend, Serial, NoTracer>;
template class Model<cpu::Backend, Serial, NoTracer>;
template class Executor<cpu::Backend, Inline, NoTracer>;
template class Session<cpu::Backend, Inline, NoTracer>;
template class Model<cpu::Backend, Inline, NoTracer>;

}  // namespace treadle::inline v0
