// Builds the definition of cpu/kernels-inl.hpp once.
#include <treadle/cpu/kernels-inl.hpp>
