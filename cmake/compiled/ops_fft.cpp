// Builds the table of Fourier transforms for the compiled flavour.
#include <treadle/ops/fft-inl.hpp>
