// Builds the definitions of core/tensor_meta.hpp once.
#include <treadle/core/tensor_meta-inl.hpp>
