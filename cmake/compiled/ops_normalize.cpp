// Builds the definitions of ops/normalize-inl.hpp once.
#include <treadle/ops/normalize-inl.hpp>
