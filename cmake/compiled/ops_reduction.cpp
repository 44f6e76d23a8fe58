// Builds the tables of reductions for the compiled flavour.
#include <treadle/ops/reduction-inl.hpp>
