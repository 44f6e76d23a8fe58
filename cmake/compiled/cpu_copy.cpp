// Builds the kernels that copy and cast for the compiled flavour.
#include <treadle/cpu/copy-inl.hpp>
