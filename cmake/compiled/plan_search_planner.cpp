// Compiles the definitions of plan/search_planner.hpp once.
#include <treadle/plan/search_planner-inl.hpp>
