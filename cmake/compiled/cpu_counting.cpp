// Builds the kernels of counting for the compiled flavour.
#include <treadle/cpu/counting-inl.hpp>
