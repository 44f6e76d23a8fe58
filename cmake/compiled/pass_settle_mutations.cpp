// Builds the settling of mutations for the compiled flavour.
#include <treadle/pass/settle_mutations-inl.hpp>
