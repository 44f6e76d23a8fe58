// Builds the elementwise kernel and its conversions for the compiled flavour.
#include <treadle/cpu/elementwise/convert-inl.hpp>
#include <treadle/cpu/elementwise/kernel-inl.hpp>
