// Builds the definitions of graph/lint-inl.hpp once.
#include <treadle/graph/lint-inl.hpp>
