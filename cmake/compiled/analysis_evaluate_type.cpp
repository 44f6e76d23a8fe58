// Builds the definitions of analysis/evaluate_type.hpp once.
#include <treadle/analysis/evaluate_type-inl.hpp>
