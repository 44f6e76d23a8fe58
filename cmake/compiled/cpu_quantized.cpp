// Builds the kernels of quantisation for the compiled flavour.
#include <treadle/cpu/quantized-inl.hpp>
