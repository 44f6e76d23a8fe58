// Builds the kernels of reductions for the compiled flavour.
#include <treadle/cpu/reduction-inl.hpp>
