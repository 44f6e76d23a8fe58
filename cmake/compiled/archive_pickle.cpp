// Builds the definitions of archive/pickle-inl.hpp once.
#include <treadle/archive/pickle-inl.hpp>
