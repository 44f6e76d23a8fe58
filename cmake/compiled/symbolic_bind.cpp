// Builds the definitions of symbolic/bind.hpp once.
#include <treadle/symbolic/bind-inl.hpp>
