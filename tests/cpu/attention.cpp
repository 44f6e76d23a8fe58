// Attention against PyTorch's numbers and against itself in other blocks.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/attention.hpp>
#include <treadle/ops/attention.hpp>

#include "cpu/linear_support.hpp"

namespace {

using namespace test;

Caller caller() {
  treadle::OpSet ops;
  ops.add(treadle::attention_ops());
  return {ops, treadle::cpu::attention_kernels()};
}

constexpr const char* attention = "aten::scaled_dot_product_attention";

TEST_CASE("attention is PyTorch's, whole, causal and masked") {
  Caller c = caller();
  const auto q = ramp({1, 1, 2, 3}), k = ramp({1, 1, 3, 3}, 1), v = ramp({1, 1, 3, 2}, 5);
  const auto mask = *Tensor::from<bool>({true, false, true, false, false, false}, {2, 3});
  check_calls(c,
              {{attention, {q, k, v}, {1, 1, 2, 2}, {0.1024236, -0.4749876, 0.1645908, -0.4893399}},
               {attention,
                {q, k, v, none(), real(0), flag(true)},
                {1, 1, 2, 2},
                {0, -1, 0.3682349, -0.6317651}},
               // A row with nothing to attend to gives zeros.
               {attention, {q, k, v, mask}, {1, 1, 2, 2}, {-0.316284, -0.6204591, 0, 0}}});
}

/// Softmax(q kᵀ / √width) v in double precision, of one head.
std::vector<double> plain_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto rows = q.sizes()[2], keys = k.sizes()[2], width = q.sizes()[3];
  std::vector<double> out(static_cast<std::size_t>(rows * width), 0.0);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<double> weights;
    double total = 0;
    for (std::int64_t j = 0; j < keys; ++j) {
      double score = 0;
      for (std::int64_t d = 0; d < width; ++d)
        score +=
            static_cast<double>(q.data<float>()[i * width + d]) * k.data<float>()[j * width + d];
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(width))));
      total += weights.back();
    }
    for (std::int64_t j = 0; j < keys; ++j)
      for (std::int64_t d = 0; d < width; ++d)
        out[static_cast<std::size_t>(i * width + d)] +=
            weights[static_cast<std::size_t>(j)] / total * v.data<float>()[j * width + d];
  }
  return out;
}

TEST_CASE("several blocks of queries and keys give one softmax") {
  Caller c = caller();
  const auto q = ramp({1, 1, 70, 4}), k = ramp({1, 1, 1100, 4}, 1), v = ramp({1, 1, 1100, 4}, 5);
  check_elements(c.call(attention, {q, k, v})[0], {1, 1, 70, 4}, plain_attention(q, k, v));
}

TEST_CASE("groups of query heads share a head of keys") {
  Caller c = caller();
  const auto q = ramp({1, 4, 3, 4}), k = ramp({1, 2, 5, 4}, 1), v = ramp({1, 2, 5, 4}, 5);
  const auto out =
      c.call(attention, {q, k, v, none(), real(0), flag(false), none(), flag(true)})[0];
  const auto part = [](const Tensor& t, std::int64_t head) {
    const auto n = t.sizes()[2] * t.sizes()[3];
    return Tensor::borrow(t.data<float>() + head * n, {1, 1, t.sizes()[2], t.sizes()[3]});
  };
  const auto found = elements_of(out);
  for (std::int64_t head = 0; head < 4; ++head) {
    const auto expected = plain_attention(part(q, head), part(k, head / 2), part(v, head / 2));
    for (std::size_t i = 0; i < 12; ++i)
      CHECK(found[static_cast<std::size_t>(head) * 12 + i] == doctest::Approx(expected[i]));
  }
}

}  // namespace
