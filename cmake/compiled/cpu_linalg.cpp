// Builds the triangular factors of linear algebra for the compiled flavour.
#include <treadle/cpu/linalg-inl.hpp>
