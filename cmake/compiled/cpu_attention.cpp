// Builds the attention kernels for the compiled flavour.
#include <treadle/cpu/attention-inl.hpp>
