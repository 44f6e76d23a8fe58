// Builds the definitions of exported/exported_archive-inl.hpp once.
#include <treadle/exported/exported_archive-inl.hpp>
