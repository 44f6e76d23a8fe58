// Builds the definitions of exec/memory_layout.hpp once.
#include <treadle/exec/memory_layout-inl.hpp>
