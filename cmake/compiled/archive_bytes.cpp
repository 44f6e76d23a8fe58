// Builds the definitions of archive/bytes.hpp once.
#include <treadle/archive/bytes-inl.hpp>
