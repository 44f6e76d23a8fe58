// One half of a program that includes every header in two places: nothing may be defined twice.
#include <all_headers.hpp>
#include <string>
#include <string_view>

#include <treadle/core/dtype.hpp>

std::string described_elsewhere(treadle::DType dtype);

int main() {
  const bool agree = described_elsewhere(treadle::DType::float32) == "float32 has 4 bytes";
  return agree && treadle::name(treadle::DType::float32) == "float32" ? 0 : 1;
}
