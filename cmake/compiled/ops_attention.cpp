// Builds the table of attention for the compiled flavour.
#include <treadle/ops/attention-inl.hpp>
