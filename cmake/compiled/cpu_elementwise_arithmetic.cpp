// Builds the kernels of two-operand arithmetic for the compiled flavour.
#include <treadle/cpu/elementwise/arithmetic-inl.hpp>
