// Compiles the definitions of <treadle/pass/place_devices.hpp>.
#include <treadle/pass/place_devices-inl.hpp>
