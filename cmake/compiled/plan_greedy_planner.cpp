// Builds the definitions of plan/greedy_planner.hpp once.
#include <treadle/plan/greedy_planner-inl.hpp>
