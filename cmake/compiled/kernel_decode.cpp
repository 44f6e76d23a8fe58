// Builds the definitions of kernel/decode.hpp once.
#include <treadle/kernel/decode-inl.hpp>
