// Builds the definitions of graph/graph_body-inl.hpp once.
#include <treadle/graph/graph_body-inl.hpp>
