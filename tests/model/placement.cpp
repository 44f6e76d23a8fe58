// Programs that were exported on another device than the backend's.
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/npz.hpp>
#include <treadle/treadle.hpp>

#include "support/archives.hpp"
#include "support/backends.hpp"
#include "support/engine.hpp"

namespace {

using Cpu = treadle::cpu::Backend;
using Model = treadle::Model<>;

std::string golden(const std::string& name) { return std::string(TREADLE_GOLDEN_DIR) + "/" + name; }

treadle::Result<Model> load_cuda(const std::string& map) {
  static treadle::Serial serial;
  return Model::from(test::archive_of(test::on_cuda(golden("dense_64.pt2"))), serial,
                     treadle::cpu::kernels(), {.placement = *treadle::Placement::parse(map)});
}

/// The golden file's outputs, and those of a model for the same input.
std::pair<std::vector<float>, std::vector<float>> outputs_of(Model& model) {
  const auto arrays = treadle::read_npz(golden("dense_64.npz"));
  REQUIRE(arrays);
  std::vector<float> given, wanted;
  treadle::Dims sizes;
  for (const auto& [name, array] : *arrays) {
    auto& to = name == "in0" ? given : wanted;
    if (name != "in0" && name != "out0") continue;
    if (name == "in0") sizes = array.sizes;
    to.resize(array.data.size() / sizeof(float));
    std::memcpy(to.data(), array.data.data(), array.data.size());
  }
  auto input = treadle::cpu::Tensor::empty(treadle::make_meta(treadle::DType::float32, sizes));
  REQUIRE(input);
  REQUIRE(Cpu().copy_from_host(*input, std::as_bytes(std::span(given))));
  auto outputs = model.run({*input});
  if (!outputs) FAIL(outputs.error().message());
  return {wanted, test::elements_of((*outputs)[0])};
}

}  // namespace

TEST_CASE("a program exported on CUDA runs on the CPU with a device map") {
  for (const char* map : {"cuda:0=cpu", "cuda=cpu", "*=cpu"}) {
    CAPTURE(map);
    auto model = load_cuda(map);
    if (!model) FAIL(model.error().message());
    const auto [wanted, found] = outputs_of(*model);
    REQUIRE(wanted.size() == found.size());
    REQUIRE(!wanted.empty());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-4));
  }
}

TEST_CASE("without a device map it is refused with every device and how often it stands") {
  const auto model = load_cuda("");
  REQUIRE(!model);
  const std::string& message = model.error().message();
  CAPTURE(message);
  CHECK(model.error().code() == treadle::ErrorCode::unsupported_file);
  CHECK(message.find("devices that the backend does not have: cuda:0 (") != std::string::npos);
  CHECK(message.find("tensors, 2 weights") != std::string::npos);
  CHECK(message.find("ModelOptions::placement or --device-map, e.g. cuda:0=cpu") !=
        std::string::npos);
}

TEST_CASE("a map to a device that is not there is refused too") {
  const auto model = load_cuda("cuda:0=cuda:1");
  REQUIRE(!model);
  CHECK(model.error().message().find("cuda:1 (") != std::string::npos);
}

TEST_CASE("a backend that does not say which devices it has takes all") {
  CHECK(treadle::has_device(test::MinimalBackend(), {treadle::DeviceType::cuda, 0}));
  CHECK(!treadle::has_device(Cpu(), {treadle::DeviceType::cuda, 0}));
}
