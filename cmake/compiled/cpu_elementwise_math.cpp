// Builds the kernels of the mathematical functions of one operand for the compiled flavour.
#include <treadle/cpu/elementwise/math-inl.hpp>
