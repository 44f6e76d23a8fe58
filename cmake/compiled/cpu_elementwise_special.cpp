// Builds the kernels of Bessel, gamma and zeta functions for the compiled flavour.
#include <treadle/cpu/elementwise/special-inl.hpp>
