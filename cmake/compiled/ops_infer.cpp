// Builds the definitions of ops/infer-inl.hpp once.
#include <treadle/ops/infer-inl.hpp>
