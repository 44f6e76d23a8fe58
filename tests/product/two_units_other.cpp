// The other half of the program that includes every header in two places.
#include <all_headers.hpp>
#include <string>

#include <treadle/core/concat.hpp>
#include <treadle/core/dtype.hpp>

std::string described_elsewhere(treadle::DType dtype) {
  return treadle::concat(treadle::name(dtype), " has ", treadle::info(dtype).size, " bytes");
}
