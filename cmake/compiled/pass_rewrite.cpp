// Builds the definitions of pass/rewrite.hpp once.
#include <treadle/pass/rewrite-inl.hpp>
