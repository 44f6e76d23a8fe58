// Builds the definition of ops/standard-inl.hpp once.
#include <treadle/ops/standard-inl.hpp>
