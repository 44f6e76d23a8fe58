// Builds the definitions of archive/zip_reader-inl.hpp once.
#include <treadle/archive/zip_reader-inl.hpp>
