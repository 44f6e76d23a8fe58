// Builds the definitions of symbolic/number.hpp once.
#include <treadle/symbolic/number-inl.hpp>
