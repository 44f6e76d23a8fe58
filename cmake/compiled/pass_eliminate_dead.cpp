// Compiles the definitions of <treadle/pass/eliminate_dead.hpp>.
#include <treadle/pass/eliminate_dead-inl.hpp>
