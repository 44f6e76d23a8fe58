// Compiles the definitions of <treadle/ops/operand.hpp>.
#include <treadle/ops/operand-inl.hpp>
