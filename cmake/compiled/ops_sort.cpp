// Builds the tables of sorting operators for the compiled flavour.
#include <treadle/ops/sort-inl.hpp>
