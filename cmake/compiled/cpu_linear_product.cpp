// Builds batched products for the compiled flavour.
#include <treadle/cpu/linear/product-inl.hpp>
