// How tightly the operators of expression text bind.
#pragma once

#include <cstdint>

namespace treadle::inline v0::detail {

/// Python's levels, from the loosest to the tightest.
enum class Precedence : std::uint8_t {
  choice,
  disjunction,
  conjunction,
  negation,
  comparison,
  bit_or,
  bit_xor,
  bit_and,
  shift,
  sum,
  product,
  sign,
  power,
  atom,
};

}  // namespace treadle::inline v0::detail
