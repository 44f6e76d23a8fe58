// Builds the definitions of archive/mapped_file-inl.hpp once.
#include <treadle/archive/mapped_file-inl.hpp>
