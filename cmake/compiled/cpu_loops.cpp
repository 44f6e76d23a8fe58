// Builds the definitions of cpu/loops.hpp once.
#include <treadle/cpu/loops-inl.hpp>
