// Loop nests: collapsing, broadcasting, splitting.
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/loops.hpp>

using namespace treadle;

namespace {

TensorMeta strided(Dims sizes, Dims strides) {
  TensorMeta meta = make_meta(DType::float32, std::move(sizes));
  meta.strides = std::move(strides);
  return meta;
}

/// Byte offsets of every element of operand `k`, from runs of elements [begin, end).
std::vector<std::int64_t> offsets(const cpu::LoopNest& nest, std::size_t k, std::int64_t begin,
                                  std::int64_t end) {
  std::vector<std::int64_t> out;
  std::vector<std::byte> memory(4096);
  std::vector<std::byte*> bases(nest.operands, memory.data());
  cpu::for_each_run(nest, bases.data(), begin, end,
                    [&](std::byte* const* p, const std::int64_t* strides, std::int64_t n) {
                      for (std::int64_t i = 0; i < n; ++i)
                        out.push_back(p[k] - memory.data() + i * strides[k]);
                    });
  return out;
}

}  // namespace

TEST_CASE("dense operands of one layout become one loop") {
  for (const auto& meta : {make_meta(DType::float32, {2, 3, 4}), strided({2, 3, 4}, {1, 8, 2}),
                           strided({2, 1, 4}, {4, 99, 1})}) {
    CAPTURE(meta.strides);
    const auto nest = cpu::make_nest({&meta, &meta});
    REQUIRE(nest);
    CHECK(nest->contiguous);
    CHECK(nest->sizes.size() == 1);
  }
}

TEST_CASE("a broadcast row keeps a dense inner loop") {
  const auto out = make_meta(DType::float32, {2, 3, 4}), row = make_meta(DType::float32, {4});
  const auto nest = cpu::make_nest({&out, &out, &row});
  REQUIRE(nest);
  CHECK(nest->sizes == Dims{4, 6});
  CHECK(nest->is_dense(2, DType::float32));
  CHECK(nest->strides[2] == Dims{4, 0});
  CHECK_FALSE(nest->contiguous);
}

TEST_CASE("any split of a nest visits the same elements") {
  const auto out = strided({3, 2, 5}, {20, 2, 4}), column = make_meta(DType::float32, {2, 1});
  const auto nest = cpu::make_nest({&out, &column});
  REQUIRE(nest);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto whole = offsets(*nest, k, 0, 30);
    CHECK(whole.size() == 30);
    for (std::int64_t at = 0; at <= 30; ++at) {
      auto pieces = offsets(*nest, k, 0, at);
      const auto rest = offsets(*nest, k, at, 30);
      pieces.insert(pieces.end(), rest.begin(), rest.end());
      CHECK(pieces == whole);
    }
  }
}

TEST_CASE("an operand that does not broadcast is refused with both sizes") {
  const auto out = make_meta(DType::float32, {2, 3}), other = make_meta(DType::float32, {4});
  const auto nest = cpu::make_nest({&out, &other});
  REQUIRE_FALSE(nest);
  CHECK(nest.error().message().find("[4] does not broadcast to [2, 3]") != std::string::npos);
}
