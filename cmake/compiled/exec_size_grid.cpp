// Builds the definitions of exec/size_grid.hpp once.
#include <treadle/exec/size_grid-inl.hpp>
