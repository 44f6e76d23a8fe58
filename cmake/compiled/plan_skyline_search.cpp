// Compiles the definitions of plan/skyline_search.hpp once.
#include <treadle/plan/skyline_search-inl.hpp>
