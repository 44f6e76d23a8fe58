// Builds the definitions of exec/check_inputs-inl.hpp once.
#include <treadle/exec/check_inputs-inl.hpp>
