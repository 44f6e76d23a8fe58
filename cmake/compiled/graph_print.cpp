// Builds the definitions of graph/print-inl.hpp once.
#include <treadle/graph/print-inl.hpp>
