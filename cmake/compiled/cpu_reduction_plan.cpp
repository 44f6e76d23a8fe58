// Builds the loops of reductions for the compiled flavour.
#include <treadle/cpu/reduction/reduce_plan-inl.hpp>
