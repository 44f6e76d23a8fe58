// Compiles the definitions of <treadle/ops/pad.hpp>.
#include <treadle/ops/pad-inl.hpp>
