// Builds the definitions of graph/argument-inl.hpp once.
#include <treadle/graph/argument-inl.hpp>
