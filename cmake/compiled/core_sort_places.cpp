// Builds the definitions of core/sort_places-inl.hpp once.
#include <treadle/core/sort_places-inl.hpp>
