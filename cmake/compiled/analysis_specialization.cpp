// Builds the definitions of analysis/specialization.hpp once.
#include <treadle/analysis/specialization-inl.hpp>
