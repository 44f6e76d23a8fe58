// Compiles the definitions of <treadle/ops/rules.hpp>.
#include <treadle/ops/rules-inl.hpp>
