// Builds the table of recurrent operators for the compiled flavour.
#include <treadle/ops/recurrent-inl.hpp>
