// Compiles the definitions of text/memory_map.hpp once.
#include <treadle/text/memory_map-inl.hpp>
