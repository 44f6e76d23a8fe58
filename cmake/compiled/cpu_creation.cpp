// Builds the kernels that make tensors for the compiled flavour.
#include <treadle/cpu/creation-inl.hpp>
