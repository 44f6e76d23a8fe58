// Builds the definitions of analysis/numbers.hpp once.
#include <treadle/analysis/numbers-inl.hpp>
