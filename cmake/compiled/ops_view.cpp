// Compiles the definitions of <treadle/ops/view.hpp>.
#include <treadle/ops/view-inl.hpp>
