// Builds the definitions of quantisation for the compiled flavour.
#include <treadle/ops/quantized-inl.hpp>
