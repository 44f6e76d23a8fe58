// Builds the recurrent kernels for the compiled flavour.
#include <treadle/cpu/recurrent-inl.hpp>
