// Builds the tables of elementwise operators for the compiled flavour.
#include <treadle/ops/elementwise-inl.hpp>
