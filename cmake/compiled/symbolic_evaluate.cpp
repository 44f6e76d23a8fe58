// Builds the definitions of symbolic/evaluate.hpp once.
#include <treadle/symbolic/evaluate-inl.hpp>
