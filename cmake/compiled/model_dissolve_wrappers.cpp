// Builds the definitions of model/dissolve_wrappers.hpp once.
#include <treadle/model/dissolve_wrappers-inl.hpp>
