// Builds the definitions of analysis/control_operands.hpp once.
#include <treadle/analysis/control_operands-inl.hpp>
