// Compiles the definitions of <treadle/pass/inline_wrappers.hpp>.
#include <treadle/pass/inline_wrappers-inl.hpp>
