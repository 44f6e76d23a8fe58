// Builds the resampling kernels for the compiled flavour.
#include <treadle/cpu/upsample-inl.hpp>
