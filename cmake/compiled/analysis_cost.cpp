// The definitions of analysis/cost.hpp, built once.
#include <treadle/analysis/cost-inl.hpp>
