// Kernel binding: schemas at compile time, arguments as they come.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

#include "support/call_op.hpp"

using treadle::Constant;
using treadle::cpu::Backend;
using treadle::cpu::Tensor;
using Context = treadle::RunContext<Backend>;

namespace {

treadle::Status same_as_self(treadle::InferContext& context) {
  context.add(context.tensor(0));
  return {};
}

/// A caller that knows the operators of a registry by their schemas, all shaped like `self`.
test::Caller caller(treadle::KernelRegistry<Backend> kernels) {
  static std::vector<treadle::OpDef> definitions;
  definitions.clear();
  for (const auto& [name, entry] : kernels) definitions.push_back({entry.schema, same_as_self});
  treadle::OpSet ops;
  ops.add(definitions);
  return {ops, std::move(kernels)};
}

}  // namespace

TEST_CASE("arguments of every schema type reach a kernel as its parameters") {
  treadle::KernelRegistry<Backend> kernels;
  std::string seen;
  kernels.add<
      "test::all(Tensor self, Tensor? maybe, Tensor[] many, int a, SymInt[2] b, float c, bool d, "
      "Scalar e, str f, ScalarType? g=None, int[]? h=None, *, float[] i=[0.5, 2], Layout "
      "j=strided) -> "
      "Tensor">([&seen](Context&, const Tensor&, const Tensor* maybe,
                        std::span<const Tensor* const> many, std::int64_t a,
                        std::span<const std::int64_t> b, double c, bool d, treadle::Scalar e,
                        std::string_view f, std::optional<treadle::DType> g,
                        std::optional<std::span<const std::int64_t>> h, std::span<const double> i,
                        treadle::Layout j, Tensor&) -> treadle::Status {
    seen = treadle::concat(maybe == nullptr, ' ', many.size(), ' ', a, ' ', b, ' ', c, ' ', d, ' ',
                           e.to_int(), ' ', f, ' ', g.has_value(), ' ', h.has_value(), ' ', i, ' ',
                           name(j));
    return {};
  });
  const auto t = *Tensor::zeros(treadle::DType::float32, {2});
  caller(kernels).call(
      "test::all", {t, Constant(treadle::None{}), std::vector<Tensor>{t, t},
                    Constant(std::int64_t{3}), Constant(std::int64_t{7}), Constant(std::int64_t{2}),
                    Constant(true), Constant(std::int64_t{9}), Constant(std::string("text"))});
  CHECK(seen == "true 2 3 [7, 7] 2 true 9 text false false [0.5, 2] strided");
}

namespace {

/// Sums in `prepare` what depends on shapes only.
struct TwoPhase {
  struct Prepared {
    float value;
  };
  treadle::Result<Prepared> prepare(treadle::PrepareContext<Backend>& context,
                                    const treadle::TensorInfo<Backend>& self, std::int64_t k,
                                    const treadle::TensorInfo<Backend>& out) const {
    if (k < 0) return context.fail("k is negative");
    context.request_scratch(128);
    return Prepared{static_cast<float>(static_cast<std::int64_t>(self.meta().rank()) * k +
                                       out.meta().sizes[0])};
  }
  treadle::Status run(const Prepared& prepared, Context& context, const Tensor&,
                      Tensor& out) const {
    if (reinterpret_cast<std::uintptr_t>(context.scratch()) % 64 != 0)
      return context.fail("workspace is not aligned");
    for (float& e : out.elements<float>()) e = prepared.value;
    return {};
  }
};

}  // namespace

TEST_CASE("a kernel in two phases prepares from metadata and runs on tensors") {
  treadle::KernelRegistry<Backend> kernels;
  kernels.add<"test::two(Tensor self, int k) -> Tensor">(TwoPhase{});
  auto c = caller(kernels);
  const auto t = *Tensor::zeros(treadle::DType::float32, {4, 1});
  CHECK(c.call("test::two", {t, Constant(std::int64_t{3})})[0].data<float>()[0] == 10);
  const auto failed = c.try_call("test::two", {t, Constant(std::int64_t{-1})});
  REQUIRE(!failed);
  CHECK(failed.error().message() == "test::two: k is negative");
}

TEST_CASE("merging takes over the other registry's kernels") {
  const auto constant = [](float value) {
    return [value](Context&, const Tensor&, Tensor& out) -> treadle::Status {
      for (float& e : out.elements<float>()) e = value;
      return {};
    };
  };
  treadle::KernelRegistry<Backend> first, second;
  first.add<"test::one(Tensor self) -> Tensor">(constant(1));
  first.add<"test::two(Tensor self) -> Tensor">(constant(2));
  second.add<"test::two(Tensor self) -> Tensor">(constant(20));
  first.merge(second);
  CHECK(first.size() == 2);
  auto c = caller(first);
  const auto t = *Tensor::zeros(treadle::DType::float32, {2});
  CHECK(c.call("test::one", {t})[0].data<float>()[1] == 1);
  CHECK(c.call("test::two", {t})[0].data<float>()[1] == 20);
}

TEST_CASE("an argument of a wrong type is named") {
  treadle::KernelRegistry<Backend> kernels;
  kernels.add<"test::k(Tensor self, int k) -> Tensor">(
      [](Context&, const Tensor&, std::int64_t, Tensor&) -> treadle::Status { return {}; });
  const auto t = *Tensor::zeros(treadle::DType::float32, {2});
  const auto failed = caller(kernels).try_call("test::k", {t, Constant(std::string("three"))});
  REQUIRE(!failed);
  CHECK(failed.error().message() ==
        "test::k: argument 'k' is not of the type that the schema says");
}

namespace {

struct InPlace {
  static constexpr bool in_place = true;
  treadle::Status operator()(Context&, const Tensor&, Tensor&) const { return {}; }
};

}  // namespace

TEST_CASE("a kernel says whether its result may be the memory of an argument") {
  treadle::KernelRegistry<Backend> kernels;
  kernels.add<"test::yes(Tensor self) -> Tensor">(InPlace{});
  kernels.add<"test::no(Tensor self) -> Tensor">(
      [](Context&, const Tensor&, Tensor&) { return treadle::Status{}; });
  CHECK(kernels.find("test::yes")->in_place);
  CHECK_FALSE(kernels.find("test::no")->in_place);
}
