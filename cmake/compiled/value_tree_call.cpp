// Builds the definitions of value/tree_call.hpp once.
#include <treadle/value/tree_call-inl.hpp>
