// Builds the definitions of analysis/specialize-inl.hpp once.
#include <treadle/analysis/specialize-inl.hpp>
