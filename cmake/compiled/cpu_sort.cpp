// Builds the sorting kernels for the compiled flavour.
#include <treadle/cpu/sort-inl.hpp>
