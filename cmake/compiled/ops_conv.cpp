// Builds the table of convolutions for the compiled flavour.
#include <treadle/ops/conv-inl.hpp>
