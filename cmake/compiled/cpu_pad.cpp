// Compiles the definitions of <treadle/cpu/pad.hpp>.
#include <treadle/cpu/pad-inl.hpp>
