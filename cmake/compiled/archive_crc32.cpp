// Builds the definitions of archive/crc32-inl.hpp once.
#include <treadle/archive/crc32-inl.hpp>
