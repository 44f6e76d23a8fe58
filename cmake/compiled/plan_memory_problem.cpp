// Builds the definitions of plan/memory_problem.hpp once.
#include <treadle/plan/memory_problem-inl.hpp>
