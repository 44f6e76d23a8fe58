// Compiles the definitions of <treadle/cpu/view.hpp>.
#include <treadle/cpu/view-inl.hpp>
