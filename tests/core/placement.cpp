// Device maps: rules, their order of preference, their text.
#include <doctest/doctest.h>

#include <treadle/core/placement.hpp>

using treadle::Device;
using treadle::DeviceType;
using treadle::Placement;

TEST_CASE("the most special rule of a placement decides") {
  const auto placement = Placement::parse("cuda:0=cpu, cuda=cuda:2, cuda:1 = cuda:0,*=xpu:1");
  REQUIRE(placement);
  const struct {
    Device from, to;
  } cases[] = {
      {{DeviceType::cuda, 0}, {DeviceType::cpu, -1}},
      {{DeviceType::cuda, 1}, {DeviceType::cuda, 0}},
      {{DeviceType::cuda, 3}, {DeviceType::cuda, 2}},
      {{DeviceType::cuda, -1}, {DeviceType::cuda, 2}},
      {{DeviceType::mps, 0}, {DeviceType::xpu, 1}},
      {{DeviceType::cpu, -1}, {DeviceType::xpu, 1}},
  };
  for (const auto& c : cases) {
    CAPTURE(to_string(c.from));
    CHECK(placement->at(c.from) == c.to);
  }
}

TEST_CASE("an accelerator without an index is its device 0") {
  const auto placement = Placement().map({DeviceType::cuda, 0}, {});
  CHECK(placement.at({DeviceType::cuda, -1}) == Device{});
  CHECK(placement.at({DeviceType::cuda, 1}) == Device{DeviceType::cuda, 1});
}

TEST_CASE("devices without a rule stay") {
  CHECK(Placement().empty());
  CHECK(Placement().at({DeviceType::cuda, 1}) == Device{DeviceType::cuda, 1});
}

TEST_CASE("a placement's text reads back as the same placement") {
  for (const char* text : {"", "cuda=cpu", "cuda:0=cpu,cuda:1=cuda:0,*=cpu", "*=cpu"}) {
    CAPTURE(text);
    const auto placement = Placement::parse(text);
    REQUIRE(placement);
    CHECK(to_string(*placement) == text);
    CHECK(*Placement::parse(to_string(*placement)) == *placement);
  }
}

TEST_CASE("a malformed device map is refused with what is wrong") {
  const struct {
    const char *text, *message;
  } cases[] = {
      {"cuda", "'cuda' maps no device; expected one like cuda:0=cpu or *=cpu"},
      {"cuda=gpu", "'gpu' is no device; expected one like cpu, cuda or cuda:0"},
      {"cuda:x=cpu", "'cuda:x' is no device; expected one like cpu, cuda or cuda:0"},
      {"cuda=cpu,,", "'' maps no device; expected one like cuda:0=cpu or *=cpu"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto placement = Placement::parse(c.text);
    REQUIRE(!placement);
    CHECK(placement.error().message() == c.message);
  }
}
