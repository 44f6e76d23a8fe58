// Tests of dtypes, scalars, small vectors and tensor metadata.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/core/clamped_integer.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/scalar.hpp>
#include <treadle/core/small_vector.hpp>
#include <treadle/core/sort_places.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/core/tensor_meta.hpp>

using namespace treadle;

namespace {
using Few = SmallVector<int, 3>;
Few counted(int n) {
  Few out;
  for (int i = 0; i < n; ++i) out.push_back(i);
  return out;
}
TensorMeta strided(Dims sizes, Dims strides, std::int64_t offset = 0) {
  TensorMeta meta;
  meta.sizes = std::move(sizes);
  meta.strides = std::move(strides);
  meta.storage_offset = offset;
  return meta;
}
}  // namespace

// --- dtypes --------------------------------------------------------------------------------------

TEST_CASE("every dtype has a name that parses back, with and without torch") {
  for (std::size_t i = 1; i < detail::dtype_table.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    CAPTURE(name(dtype));
    CHECK(parse_dtype(name(dtype)) == dtype);
    CHECK(parse_dtype(std::string("torch.").append(name(dtype))) == dtype);
    CHECK(size_of(dtype) > 0);
  }
  CHECK(!parse_dtype("float"));
  CHECK(!parse_dtype("torch."));
}

TEST_CASE("C++ types and dtypes stand for each other") {
  int visited = 0;
  for (std::size_t i = 0; i < detail::dtype_table.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    const bool known = visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      CHECK(dtype_of<T>() == dtype);
      CHECK(sizeof(T) == size_of(dtype));
      ++visited;
    });
    CHECK(known == (dtype != DType::undefined && dtype < DType::float8_e4m3fnuz));
  }
  CHECK(visited == 18);
  CHECK(dtype_of<char*>() == DType::undefined);
}

TEST_CASE("kinds of dtypes are told apart") {
  CHECK(is_floating(DType::bfloat16));
  CHECK(is_floating(DType::float8_e8m0fnu));
  CHECK(!is_floating(DType::complex64));
  CHECK(is_complex(DType::complex32));
  CHECK(is_integral(DType::uint64));
  CHECK(!is_integral(DType::bool_));
  CHECK(is_unsigned(DType::uint16));
  CHECK(!is_unsigned(DType::int16));
}

// --- scalars -------------------------------------------------------------------------------------

TEST_CASE("scalars convert as PyTorch's do") {
  CHECK(Scalar(true).category() == DTypeCategory::boolean);
  CHECK(Scalar(7).to_double() == 7.0);
  CHECK(Scalar(-2.9).to_int() == -2);
  CHECK(Scalar(0.0).to_bool() == false);
  CHECK(Scalar(std::complex<double>(0, 2)).to_bool());
  CHECK(Scalar(std::complex<double>(3, 2)).to_double() == 3.0);
  CHECK(Scalar(4).to_complex() == std::complex<double>(4, 0));
  CHECK(Scalar(std::numeric_limits<std::int64_t>::max()).to_int() ==
        std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("floats beyond the integers saturate") {
  CHECK(Scalar(1e300).to_int() == std::numeric_limits<std::int64_t>::max());
  CHECK(Scalar(-1e300).to_int() == std::numeric_limits<std::int64_t>::min());
  CHECK(Scalar(std::numeric_limits<double>::quiet_NaN()).to_int() == 0);
}

TEST_CASE("scalars of different kinds differ even where their numbers are equal") {
  CHECK(Scalar(1) == Scalar(1));
  CHECK(!(Scalar(1) == Scalar(1.0)));
  CHECK(!(Scalar(1) == Scalar(true)));
}

// --- small vectors -------------------------------------------------------------------------------

TEST_CASE("a small vector keeps its items when it outgrows itself") {
  for (int n = 0; n < 20; ++n) {
    const Few items = counted(n);
    CAPTURE(n);
    REQUIRE(items.size() == static_cast<std::size_t>(n));
    CHECK(items.empty() == (n == 0));
    for (int i = 0; i < n; ++i) CHECK(items[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("small vectors copy, move and compare whether on the heap or not") {
  for (const int n : {0, 2, 3, 4, 9}) {
    CAPTURE(n);
    const Few items = counted(n);
    Few copy = items;
    CHECK(copy == items);
    Few moved = std::move(copy);
    CHECK(moved == items);
    Few target = counted(5);
    target = moved;
    CHECK(target == items);
    target = std::move(moved);
    CHECK(target == items);
    target.push_back(-1);
    CHECK(!(target == items));
    const Few& self = target;
    target = self;
    CHECK(target.back() == -1);
  }
}

TEST_CASE("a vector that was moved from can be filled again") {
  for (const int n : {2, 9}) {
    Few items = counted(n);
    const Few taken = std::move(items);
    items = counted(4);
    CHECK(items == counted(4));
    CHECK(taken == counted(n));
  }
}

TEST_CASE("items are inserted, erased and resized in order") {
  Few items = {1, 3};
  items.insert(items.begin() + 1, 2);
  items.insert(items.end(), 4);
  items.insert(items.begin(), 0);
  CHECK(items == Few{0, 1, 2, 3, 4});
  items.erase(items.begin() + 2);
  CHECK(items == Few{0, 1, 3, 4});
  items.resize(2);
  CHECK(items == Few{0, 1});
  items.resize(5, 7);
  CHECK(items == Few{0, 1, 7, 7, 7});
  items.pop_back();
  items.clear();
  CHECK(items.empty());
}

// --- tensor metadata -----------------------------------------------------------------------------

TEST_CASE("row-major metadata is contiguous; sizes of one and of zero do not matter") {
  struct Row {
    TensorMeta meta;
    bool contiguous;
  };
  const Row rows[] = {
      {make_meta(DType::float32, {2, 3, 4}), true},
      {make_meta(DType::float32, {}), true},
      {strided({2, 1, 3}, {3, 99, 1}), true},
      {strided({0, 3}, {1, 7}), true},
      {strided({3, 2}, {1, 3}), false},
      {strided({2, 3}, {0, 1}), false},
      {strided({2, 3}, {4, 1}), false},
  };
  for (const auto& row : rows) {
    CAPTURE(to_string(row.meta));
    CHECK(is_contiguous(row.meta) == row.contiguous);
  }
  CHECK(contiguous_strides(Dims{2, 0, 3}) == Dims{3, 3, 1});
}

TEST_CASE("the extent of a tensor is what it may touch") {
  struct Row {
    TensorMeta meta;
    std::int64_t extent;
  };
  const Row rows[] = {
      {make_meta(DType::float32, {2, 3}), 6}, {strided({2, 3}, {10, 2}, 5), 20},
      {strided({4, 2}, {0, 1}), 2},           {strided({}, {}, 7), 8},
      {strided({0, 3}, {3, 1}, 100), 0},
  };
  for (const auto& row : rows) {
    CHECK(storage_extent(row.meta) == row.extent);
    CHECK(storage_bytes(row.meta) == static_cast<std::size_t>(row.extent) * 4);
  }
}

TEST_CASE("metadata that overflows or is negative has no extent") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  CHECK(!storage_extent(strided({huge, 2}, {1, 1})));
  CHECK(!storage_extent(strided({3, 2}, {huge / 2 + 1, 1})));
  CHECK(!storage_extent(strided({1}, {1}, huge)));
  CHECK(!storage_extent(strided({-1}, {1})));
  CHECK(!storage_extent(strided({2}, {-1})));
  CHECK(!storage_extent(strided({2}, {1}, -1)));
  CHECK(!storage_bytes(strided({huge / 2}, {1})));
}

TEST_CASE("metadata prints as dtype and sizes") {
  CHECK(to_string(make_meta(DType::int64, {2, 3})) == "int64[2, 3]");
  CHECK(to_string(make_meta(DType::bool_, {})) == "bool[]");
}

TEST_CASE("elements are copied between layouts") {
  const std::vector<float> from = {0, 1, 2, 3, 4, 5};
  std::vector<float> to(6, -1);
  const auto transposed = strided({3, 2}, {1, 3});
  copy_elements(reinterpret_cast<const std::byte*>(from.data()), transposed,
                reinterpret_cast<std::byte*>(to.data()), make_meta(DType::float32, {3, 2}));
  CHECK(to == std::vector<float>{0, 3, 1, 4, 2, 5});
  std::vector<float> spread(4, -1);
  copy_elements(reinterpret_cast<const std::byte*>(from.data()), make_meta(DType::float32, {2}),
                reinterpret_cast<std::byte*>(spread.data()), strided({2}, {3}));
  CHECK(spread == std::vector<float>{0, -1, -1, 1});
}

TEST_CASE("a number that does not fit becomes the nearest whole number that may be") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(clamped_integer(2.9, 0, 5) == 2);
  CHECK(clamped_integer(-2.9, -5, 5) == -2);
  CHECK(clamped_integer(-2.9, 0, 5) == 0);
  CHECK(clamped_integer(1e300, 0, std::int64_t{1} << 62) == std::int64_t{1} << 62);
  CHECK(clamped_integer(-infinity, -4, 5) == -4);
  CHECK(clamped_integer(infinity, -4, 5) == 5);
  CHECK(clamped_integer(nan, -4, 5) == -4);
}

// --- places --------------------------------------------------------------------------------------

TEST_CASE("places are sorted by what they stand for, in both widths") {
  const std::vector<std::string> names = {"d", "a", "c", "b"};
  std::vector<std::size_t> places = {0, 1, 2, 3};
  sort_places(places, [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  CHECK(places == std::vector<std::size_t>{1, 3, 2, 0});
  std::vector<std::uint32_t> some = {2, 0, 1};
  sort_places(some, [&](std::uint32_t a, std::uint32_t b) { return names[a] > names[b]; });
  CHECK(some == std::vector<std::uint32_t>{0, 2, 1});
  sort_places(std::span<std::size_t>{}, [](std::size_t, std::size_t) { return false; });
}
