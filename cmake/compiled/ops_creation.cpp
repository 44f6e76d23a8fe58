// Builds the tables of operators that make tensors for the compiled flavour.
#include <treadle/ops/creation-inl.hpp>
