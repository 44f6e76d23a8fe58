// Builds the definitions of ops/infer_call-inl.hpp once.
#include <treadle/ops/infer_call-inl.hpp>
