// Compiles the definitions of plan/skyline.hpp once.
#include <treadle/plan/skyline-inl.hpp>
