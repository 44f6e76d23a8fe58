// Compiles the definitions of <treadle/ops/movement.hpp>.
#include <treadle/ops/movement-inl.hpp>
