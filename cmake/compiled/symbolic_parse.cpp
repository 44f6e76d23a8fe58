// Builds the definitions of symbolic/parse.hpp once.
#include <treadle/symbolic/parse-inl.hpp>
