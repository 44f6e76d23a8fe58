// Compiles the definitions of <treadle/pass/inline_batches.hpp>.
#include <treadle/pass/inline_batches-inl.hpp>
