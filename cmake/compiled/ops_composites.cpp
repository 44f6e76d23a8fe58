// Builds the second table of composite operators for the compiled flavour.
#include <treadle/ops/composites-inl.hpp>
