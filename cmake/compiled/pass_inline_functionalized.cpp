// Compiles the definitions of <treadle/pass/inline_functionalized.hpp>.
#include <treadle/pass/inline_functionalized-inl.hpp>
