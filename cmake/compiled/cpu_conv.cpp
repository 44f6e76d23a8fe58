// Builds the convolution kernels for the compiled flavour.
#include <treadle/cpu/conv-inl.hpp>
