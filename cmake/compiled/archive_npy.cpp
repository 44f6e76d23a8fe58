// Builds the definitions of archive/npy-inl.hpp once.
#include <treadle/archive/npy-inl.hpp>
