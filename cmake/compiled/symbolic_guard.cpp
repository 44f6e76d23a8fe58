// Builds the definitions of symbolic/guard.hpp once.
#include <treadle/symbolic/guard-inl.hpp>
