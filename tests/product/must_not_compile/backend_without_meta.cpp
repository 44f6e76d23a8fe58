// expect: (constraints not satisfied|does not satisfy|constraint failure)
// A tensor type without the backend's functions is refused where it is named.
#include <treadle/value/value.hpp>

struct NotABackend {
  struct Tensor {};
};

int main() { treadle::Value<NotABackend> value; }
