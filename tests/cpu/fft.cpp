// Fourier transforms against PyTorch's numbers and their own inverses.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/fft.hpp>
#include <treadle/cpu/fft/fft_line.hpp>
#include <treadle/cpu/table_memory.hpp>
#include <treadle/ops/fft.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::fft_ops());
  return {ops, treadle::cpu::fft_kernels()};
}

TEST_CASE("transforms of real numbers are PyTorch's") {
  Caller c = caller();
  check_calls(
      c,
      {{"aten::fft_rfft", {ramp({5})}, {3}, {1.25, 0, 0.5997968, -0.8255494, -2.474797, 0.8041102}},
       {"aten::fft_fft",
        {ramp({7})},
        {7},
        {0.25, 0, -0.625, -1.243556, -0.625, -3.453322, -0.625, 0.9253433, -0.625, -0.9253433,
         -0.625, 3.453322, -0.625, 1.243556}}});
}

TEST_CASE("irfft restores the half that is not there") {
  Caller c = caller();
  const auto re = ramp({3}), im = ramp({3}, 1);
  auto half = *Tensor::zeros(treadle::DType::complex64, {3});
  for (int i = 0; i < 3; ++i)
    half.data<std::complex<float>>()[i] = {re.data<float>()[i], im.data<float>()[i]};
  const auto out = c.call("aten::fft_irfft", {half, number(5), number(-1), text("ortho")})[0];
  check_elements(out, {5}, {1.118034, -0.5655723, -1.665978, -0.4520559, 0.4475384});
}

TEST_CASE("every length comes back from its transform") {
  Caller c = caller();
  for (const std::int64_t n : {1, 2, 3, 4, 6, 8, 13, 17, 30, 97, 128, 289}) {
    CAPTURE(n);
    const auto input = ramp({2, n});
    const auto spectrum = c.call("aten::fft_fft", {input})[0];
    const auto back = elements_of(c.call("aten::fft_ifft", {spectrum})[0]);
    const auto expected = elements_of(input);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(back[2 * i] == doctest::Approx(expected[i]).epsilon(1e-5));
      CHECK(std::abs(back[2 * i + 1]) < 1e-6);
    }
  }
}

TEST_CASE("a line knows for which lengths no machine has the tables") {
  CHECK(treadle::cpu::has_memory_for(1 << 16, treadle::cpu::FftLine::table_bytes));
  CHECK_FALSE(
      treadle::cpu::has_memory_for(std::int64_t{1} << 60, treadle::cpu::FftLine::table_bytes));
}

TEST_CASE("a shifted spectrum is shifted back") {
  Caller c = caller();
  const auto input = *Tensor::from<float>({0, 1, 2, 3, 4}, {5});
  const auto shifted = c.call("aten::fft_fftshift", {input})[0];
  CHECK(elements_of(shifted) == std::vector<double>{3, 4, 0, 1, 2});
  CHECK(elements_of(c.call("aten::fft_ifftshift", {shifted})[0]) == elements_of(input));
}

TEST_CASE("frequencies turn negative in the middle") {
  Caller c = caller();
  check_calls(c, {{"aten::fft_fftfreq", {number(4), real(1)}, {4}, {0, 0.25, -0.5, -0.25}},
                  {"aten::fft_rfftfreq", {number(4), real(1)}, {3}, {0, 0.25, 0.5}}});
}

}  // namespace
