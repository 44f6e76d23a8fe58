// Compiles the definitions of plan/conflict_set.hpp once.
#include <treadle/plan/conflict_set-inl.hpp>
