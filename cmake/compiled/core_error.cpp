// Builds the definitions of core/error-inl.hpp once.
#include <treadle/core/error-inl.hpp>
