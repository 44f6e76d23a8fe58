// Builds the definitions of linear algebra for the compiled flavour.
#include <treadle/ops/linalg-inl.hpp>
