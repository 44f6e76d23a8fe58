// Builds the definitions of model/place_archive.hpp once.
#include <treadle/model/place_archive-inl.hpp>
