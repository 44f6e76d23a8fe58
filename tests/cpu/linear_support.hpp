// Numbers in, numbers out: what the tests of products, convolutions and networks share.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/tensor.hpp>

#include "support/call_op.hpp"

namespace test {

/// Small numbers that look random: ((7 i + start) mod 11 - 5) / 4.
inline Tensor ramp(treadle::Dims sizes, std::int64_t start = 3) {
  std::vector<float> elements;
  for (std::int64_t i = 0; i < treadle::element_count(sizes); ++i)
    elements.push_back(static_cast<float>((i * 7 + start) % 11 - 5) / 4);
  return *Tensor::from(elements, std::move(sizes));
}

/// Elements in row-major order, whatever the strides; complex ones as pairs.
inline std::vector<double> elements_of(const Tensor& tensor) {
  std::vector<double> out;
  const auto& sizes = tensor.sizes();
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    std::int64_t rest = i, at = 0;
    for (std::size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      at += rest % sizes[d] * tensor.strides()[d];
    if (tensor.dtype() == treadle::DType::complex64) {
      const auto value = tensor.data<std::complex<float>>()[at];
      out.insert(out.end(), {value.real(), value.imag()});
    } else {
      out.push_back(tensor.data<float>()[at]);
    }
  }
  return out;
}

inline void check_elements(const Tensor& found, const treadle::Dims& sizes,
                           const std::vector<double>& expected) {
  CHECK(found.sizes() == sizes);
  const auto elements = elements_of(found);
  REQUIRE(elements.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(elements[i] - expected[i]) <= 2e-6 * (1 + std::abs(expected[i])));
  }
}

/// A call and what PyTorch 2.13 gives for it.
struct GoldenCall {
  std::string_view op;
  std::vector<Arg> arguments;
  treadle::Dims sizes;
  std::vector<double> expected;
};

inline void check_calls(Caller& caller, const std::vector<GoldenCall>& calls) {
  for (const auto& call : calls) {
    CAPTURE(call.op);
    check_elements(caller.call(call.op, call.arguments)[0], call.sizes, call.expected);
  }
}

inline Arg list(std::vector<std::int64_t> numbers) { return treadle::Constant(std::move(numbers)); }
inline Arg number(std::int64_t n) { return treadle::Constant(n); }
inline Arg real(double x) { return treadle::Constant(x); }
inline Arg flag(bool b) { return treadle::Constant(b); }
inline Arg text(std::string s) { return treadle::Constant(std::move(s)); }
inline Arg none() { return treadle::Constant(treadle::None{}); }

/// Runs an operator whose arguments are all tensors, with argument `constant` declared constant or,
/// for -1, none; `kept` takes the bytes of packed weights.
inline Tensor run_prepared(const treadle::KernelRegistry<treadle::cpu::Backend>& kernels,
                           std::string_view op, std::vector<Tensor> tensors,
                           std::vector<treadle::Constant> rest, treadle::Dims out_sizes,
                           int constant, std::size_t& kept) {
  using Backend = treadle::cpu::Backend;
  Backend backend;
  std::vector<treadle::KernelArgument<Backend>> arguments;
  std::vector<Tensor*> slots;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    arguments.emplace_back(treadle::TensorInfo<Backend>(
        &tensors[i].meta(), static_cast<int>(i) == constant ? &tensors[i] : nullptr));
    slots.push_back(&tensors[i]);
  }
  for (auto& c : rest) arguments.emplace_back(std::move(c));
  Tensor out = *Tensor::zeros(treadle::DType::float32, std::move(out_sizes));
  slots.push_back(&out);
  const std::vector<treadle::TensorInfo<Backend>> results = {{&out.meta(), nullptr}};
  treadle::PrepareContext<Backend> prepare(backend, arguments, results);
  const auto* entry = kernels.find(op);
  REQUIRE(entry);
  const auto prepared = entry->prepare(entry->kernel.get(), prepare);
  REQUIRE(prepared);
  kept = prepare.kept_bytes();
  const auto scratch = *treadle::cpu::Storage::allocate(prepare.scratch_bytes());
  treadle::RandomState random;
  treadle::RunContext<Backend> run(backend, {}, random);
  run.set_scratch(scratch.bytes());
  REQUIRE(entry->run(prepared->get(), run, slots.data()));
  return out;
}

}  // namespace test
