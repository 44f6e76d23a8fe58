// Builds the definitions of symbolic/expr.hpp once.
#include <treadle/symbolic/expr-inl.hpp>
