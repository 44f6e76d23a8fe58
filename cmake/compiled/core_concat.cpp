// Builds the definitions of core/concat-inl.hpp once.
#include <treadle/core/concat-inl.hpp>
