// Builds the definitions of symbolic/bounds.hpp once.
#include <treadle/symbolic/bounds-inl.hpp>
