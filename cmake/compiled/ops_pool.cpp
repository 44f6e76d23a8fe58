// Builds the table of pool operators for the compiled flavour.
#include <treadle/ops/pool-inl.hpp>
