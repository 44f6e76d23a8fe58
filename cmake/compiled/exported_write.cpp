// Builds the definitions of exported/write-inl.hpp once.
#include <treadle/exported/write-inl.hpp>
