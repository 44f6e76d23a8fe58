// Builds the definitions of exported/srepr-inl.hpp once.
#include <treadle/exported/srepr-inl.hpp>
