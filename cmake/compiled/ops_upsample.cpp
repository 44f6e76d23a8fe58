// Builds the table of resampling operators for the compiled flavour.
#include <treadle/ops/upsample-inl.hpp>
