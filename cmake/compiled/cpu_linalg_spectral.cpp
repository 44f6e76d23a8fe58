// Builds the orthogonal factors and spectra of linear algebra for the compiled flavour.
#include <treadle/cpu/linalg_spectral-inl.hpp>
