// Builds the kernels of selection and three-operand functions for the compiled flavour.
#include <treadle/cpu/elementwise/select-inl.hpp>
