// Builds the definitions of graph/types.hpp once.
#include <treadle/graph/types-inl.hpp>
