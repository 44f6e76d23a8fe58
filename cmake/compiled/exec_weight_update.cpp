// Builds the definitions of exec/weight_update.hpp once.
#include <treadle/exec/weight_update-inl.hpp>
