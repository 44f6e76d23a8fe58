// Compiles the definitions of <treadle/pass/decompose.hpp>.
#include <treadle/pass/decompose-inl.hpp>
