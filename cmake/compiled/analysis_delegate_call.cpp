// Builds the definitions of analysis/delegate_call.hpp once.
#include <treadle/analysis/delegate_call-inl.hpp>
