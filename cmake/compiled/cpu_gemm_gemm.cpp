// Builds the definitions of cpu/gemm/gemm-inl.hpp once.
#include <treadle/cpu/gemm/gemm-inl.hpp>
