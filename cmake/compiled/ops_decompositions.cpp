// Compiles the definitions of <treadle/ops/decompositions.hpp>.
#include <treadle/ops/decompositions-inl.hpp>
