// Builds the definitions of archive/zip_writer-inl.hpp once.
#include <treadle/archive/zip_writer-inl.hpp>
