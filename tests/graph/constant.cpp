// What constants are made from.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/graph/argument.hpp>

using namespace treadle;

namespace {

static_assert(std::is_nothrow_move_constructible_v<Constant>);
static_assert(std::is_nothrow_move_assignable_v<Constant>);
static_assert(!std::is_constructible_v<Constant, std::size_t>, "it might not fit");
static_assert(!std::is_constructible_v<Constant, int*>, "a pointer is no bool");

TEST_CASE("a constant has the kind of what it is made from") {
  CHECK(std::holds_alternative<None>(Constant()));
  CHECK(std::get<bool>(Constant(true)));
  CHECK(std::get<std::int64_t>(Constant(-7)) == -7);
  CHECK(std::get<std::int64_t>(Constant(7u)) == 7);
  CHECK(std::get<double>(Constant(0.5f)) == 0.5);
  CHECK(std::get<std::complex<double>>(Constant(std::complex<double>(1, 2))).imag() == 2);
  CHECK(std::get<std::string>(Constant("text")) == "text");
  CHECK(std::get<DType>(Constant(DType::int8)) == DType::int8);
  CHECK(std::get<std::vector<bool>>(Constant(std::vector<bool>{true})).size() == 1);
}

TEST_CASE("constants are equal if kind and value are") {
  Constant list(std::vector<std::int64_t>{1, 2});
  const Constant copy = list;
  const Constant moved = std::move(list);
  CHECK(copy == moved);
  CHECK(copy != Constant(std::vector<double>{1, 2}));
  CHECK(Constant(1) != Constant(true));
  CHECK(Constant(1) != Constant(1.0));
}

}  // namespace
