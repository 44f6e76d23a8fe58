// Compiles the definitions of <treadle/pass/split_constants.hpp>.
#include <treadle/pass/split_constants-inl.hpp>
