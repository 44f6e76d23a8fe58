// Compiles the definitions of <treadle/cpu/movement.hpp>.
#include <treadle/cpu/movement-inl.hpp>
