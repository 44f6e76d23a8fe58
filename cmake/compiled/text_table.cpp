// Compiles the definitions of text/table.hpp once.
#include <treadle/text/table-inl.hpp>
