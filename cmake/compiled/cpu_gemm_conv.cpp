// Builds the definitions of cpu/gemm/conv-inl.hpp once.
#include <treadle/cpu/gemm/conv-inl.hpp>
