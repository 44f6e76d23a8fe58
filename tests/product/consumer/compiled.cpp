// A user's program that links the compiled flavour.
#include <iostream>

#include <treadle/cpu/kernels.hpp>
#include <treadle/model/model.hpp>

static_assert(TREADLE_COMPILED);

int main() {
  const auto model = treadle::Model<>::load("no such file.pt2");
  if (model) return 1;
  std::cout << model.error().message() << '\n';
}
