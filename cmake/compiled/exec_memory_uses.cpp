// Builds the definitions of exec/memory_uses.hpp once.
#include <treadle/exec/memory_uses-inl.hpp>
