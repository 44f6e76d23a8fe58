// Builds the Fourier transforms for the compiled flavour.
#include <treadle/cpu/fft-inl.hpp>
