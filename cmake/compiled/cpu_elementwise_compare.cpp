// Builds the kernels of comparisons, logic and bit operations for the compiled flavour.
#include <treadle/cpu/elementwise/compare-inl.hpp>
