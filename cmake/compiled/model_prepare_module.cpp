// Builds the definitions of model/prepare_module.hpp once.
#include <treadle/model/prepare_module-inl.hpp>
