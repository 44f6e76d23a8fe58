// Builds the definitions of analysis/call_site-inl.hpp once.
#include <treadle/analysis/call_site-inl.hpp>
