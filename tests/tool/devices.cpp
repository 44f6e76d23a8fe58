// Tests of `--device-map`: programs exported on other devices.
#include <fstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "support/archives.hpp"
#include "tool_run.hpp"

using namespace tool_test;

namespace {

/// The golden linear layer with everything on cuda:0.
std::string cuda_file(const Scratch& scratch) {
  const auto bytes = test::on_cuda(golden("dense_64.pt2"));
  const std::string path = scratch.file("cuda.pt2");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string run_words(std::string_view command, const std::string& path, std::string_view rest) {
  return treadle::concat(command, ' ', path, ' ', rest);
}

}  // namespace

TEST_CASE("a program exported on CUDA runs with a device map and is refused without") {
  const Scratch scratch("devices");
  const std::string path = cuda_file(scratch);
  const std::string npz = golden("dense_64.npz");
  const std::string files = treadle::concat("--inputs ", npz, " --expect ", npz);
  const auto refused = run_tool(run_words("run", path, files));
  CHECK(refused.status == 3);
  CHECK(refused.error.find("does not have: cuda:0 (") != std::string::npos);
  CHECK(refused.error.find("--device-map, e.g. cuda:0=cpu") != std::string::npos);
  const auto good = run_tool(run_words("run", path, files + " --device-map cuda=cpu"));
  CAPTURE(good.error);
  CHECK(good.status == 0);
}

TEST_CASE("inspect tells the devices and plans with a device map") {
  const Scratch scratch("devices");
  const std::string path = cuda_file(scratch);
  const auto plain = run_tool(run_words("inspect", path, ""));
  CHECK(plain.status == 0);
  CHECK(plain.out.find("device:    cuda:0 (") != std::string::npos);
  CHECK(plain.out.find("not planned: the program names devices") != std::string::npos);
  const auto mapped = run_tool(run_words("inspect", path, "--device-map '*=cpu'"));
  CHECK(mapped.out.find("device:") == std::string::npos);
  CHECK(mapped.out.find("planned peak") != std::string::npos);
}

TEST_CASE("bench, trace and the memory report take a device map, save rewrites the devices") {
  const Scratch scratch("devices");
  const std::string path = cuda_file(scratch);
  CHECK(run_tool(run_words("bench", path, "--seconds 0.01 --device-map cuda:0=cpu")).status == 0);
  CHECK(run_tool(run_words("inspect", path, "--memory --device-map cuda:0=cpu")).status == 0);
  const std::string trace = scratch.file("trace.json");
  CHECK(run_tool(run_words("trace", path, "--out " + trace + " --device-map cuda=cpu")).status ==
        0);
  const std::string saved = scratch.file("saved.pt2");
  CHECK(run_tool(run_words("save", path, saved + " --device-map cuda=cpu")).status == 0);
  CHECK(run_tool(run_words("run", saved, "")).status == 0);
}

TEST_CASE("a malformed device map is refused") {
  const auto run = run_tool(run_words("run", golden("dense_64.pt2"), "--device-map gpu"));
  CHECK(run.status == 3);
  CHECK(run.error.find("--device-map: 'gpu' maps no device") != std::string::npos);
}

TEST_CASE("inspect tells what of a program needs its host") {
  const auto run = run_tool(run_words("inspect", golden("objects/queued.pt2"), ""));
  CHECK(run.status == 0);
  CHECK(run.out.find("higher_order::call_torchbind      7  none") != std::string::npos);
  CHECK(run.out.find("needs its host's class") != std::string::npos);
}
