// Builds the kernels of losses and distances for the compiled flavour.
#include <treadle/cpu/reduction/loss_kernels-inl.hpp>
