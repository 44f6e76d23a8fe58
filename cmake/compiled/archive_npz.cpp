// Builds the definitions of archive/npz-inl.hpp once.
#include <treadle/archive/npz-inl.hpp>
