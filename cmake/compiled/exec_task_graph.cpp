// Builds the definitions of exec/task_graph.hpp once.
#include <treadle/exec/task_graph-inl.hpp>
