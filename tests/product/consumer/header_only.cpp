// A user's program that takes only headers.
#include <iostream>

#include <treadle/config.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/dtype.hpp>

int main() {
  std::cout << treadle::concat("treadle ", TREADLE_VERSION, ": ",
                               treadle::name(treadle::DType::float32), "\n");
}
