// Builds the definitions of graph/parse-inl.hpp once.
#include <treadle/graph/parse-inl.hpp>
