// Builds the kernels of the activation functions for the compiled flavour.
#include <treadle/cpu/elementwise/activation-inl.hpp>
