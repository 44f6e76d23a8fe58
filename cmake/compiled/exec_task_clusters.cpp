// Builds the definitions of exec/task_clusters.hpp once.
#include <treadle/exec/task_clusters-inl.hpp>
