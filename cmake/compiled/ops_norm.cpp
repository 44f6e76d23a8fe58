// Builds the table of norm operators for the compiled flavour.
#include <treadle/ops/norm-inl.hpp>
