// Builds the pool kernels for the compiled flavour.
#include <treadle/cpu/pool-inl.hpp>
