// Builds the definitions of archive/torch_save-inl.hpp once.
#include <treadle/archive/torch_save-inl.hpp>
