// Builds the definitions of ops/op_set.hpp once.
#include <treadle/ops/op_set-inl.hpp>
