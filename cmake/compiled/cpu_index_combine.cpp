// Compiles the definitions of <treadle/cpu/index/combine.hpp>.
#include <treadle/cpu/index/combine-inl.hpp>
