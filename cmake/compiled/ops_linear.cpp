// Builds the table of linear algebra for the compiled flavour.
#include <treadle/ops/linear-inl.hpp>
