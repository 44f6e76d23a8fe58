// Builds the kernels of linear algebra for the compiled flavour.
#include <treadle/cpu/linear-inl.hpp>
