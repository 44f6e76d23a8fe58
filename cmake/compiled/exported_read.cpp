// Builds the definitions of exported/read-inl.hpp once.
#include <treadle/exported/read-inl.hpp>
