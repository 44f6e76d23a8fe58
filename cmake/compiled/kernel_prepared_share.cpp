// Builds the definitions of kernel/prepared_share.hpp once.
#include <treadle/kernel/prepared_share-inl.hpp>
