// Compiles the definitions of <treadle/ops/decomposition.hpp>.
#include <treadle/ops/decomposition-inl.hpp>
