// Compiles the definitions of trace/chrome_trace.hpp once.
#include <treadle/trace/chrome_trace-inl.hpp>
