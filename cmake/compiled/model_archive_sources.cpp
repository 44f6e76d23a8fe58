// Builds the definitions of model/archive_sources.hpp once.
#include <treadle/model/archive_sources-inl.hpp>
