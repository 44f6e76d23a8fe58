// Builds the definitions of counting for the compiled flavour.
#include <treadle/ops/counting-inl.hpp>
