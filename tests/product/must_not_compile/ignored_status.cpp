// expect: (ignoring return|ignoring returned).*nodiscard
// flags: -Werror
// A failure must not be dropped by accident.
#include <treadle/core/result.hpp>

treadle::Status save();

int main() { save(); }
