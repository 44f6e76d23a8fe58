// Builds the norm kernels for the compiled flavour.
#include <treadle/cpu/norm-inl.hpp>
