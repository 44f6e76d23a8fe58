// Builds the definitions of core/placement.hpp once.
#include <treadle/core/placement-inl.hpp>
