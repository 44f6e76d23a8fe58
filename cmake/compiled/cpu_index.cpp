// Compiles the definitions of <treadle/cpu/index.hpp>.
#include <treadle/cpu/index-inl.hpp>
