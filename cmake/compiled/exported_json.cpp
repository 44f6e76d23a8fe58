// Builds the definitions of exported/json-inl.hpp once.
#include <treadle/exported/json-inl.hpp>
