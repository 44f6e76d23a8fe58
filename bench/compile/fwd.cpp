// What a header of the host project pays to name treadle's types.
#include <treadle/fwd.hpp>
