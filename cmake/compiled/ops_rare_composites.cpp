// Builds the third table of composite operators for the compiled flavour.
#include <treadle/ops/rare_composites-inl.hpp>
