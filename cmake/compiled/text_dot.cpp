// Compiles the definitions of text/dot.hpp once.
#include <treadle/text/dot-inl.hpp>
