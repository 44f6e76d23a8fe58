// Compiles the definitions of <treadle/ops/index.hpp>.
#include <treadle/ops/index-inl.hpp>
