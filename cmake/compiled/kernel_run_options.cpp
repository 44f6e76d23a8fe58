// Builds the definitions of kernel/run_options.hpp once.
#include <treadle/kernel/run_options-inl.hpp>
