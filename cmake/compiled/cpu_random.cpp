// Builds the kernels that draw random numbers for the compiled flavour.
#include <treadle/cpu/random-inl.hpp>
