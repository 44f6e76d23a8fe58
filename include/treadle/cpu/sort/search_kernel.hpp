// The kernel of searching sorted sequences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <treadle/cpu/norm/row_norm_kernel.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>
#include <treadle/cpu/sort/order_key.hpp>
#include <treadle/ops/promotion.hpp>

namespace treadle::inline v0::cpu::detail {

/// Values to look up: a tensor, or one number.
struct Needles {
  OptionalPacked tensor;
  Scalar number;

  Status prepare(const CallArguments& arguments, Packer& packer, std::string_view name,
                 ComputeType type) {
    number = arguments.get<Scalar>(name, Scalar());
    return tensor.prepare(arguments, packer, name, type);
  }
  template <class T>
  [[nodiscard]] const T* load(const RunContext<Backend>& context, Tensor* const* tensors,
                              T& storage) const {
    if (tensor.given) return tensor.load<T>(context, tensors);
    storage = std::is_integral_v<T> ? static_cast<T>(number.to_int())
                                    : static_cast<T>(number.to_double());
    return &storage;
  }
};

/// Integers are compared as integers, anything else as floats.
inline ComputeType common_type(const CallArguments& arguments, std::string_view a,
                               std::string_view b) {
  const auto of = [&](std::string_view name) {
    const auto info = arguments.tensor(name);
    if (!info.is_none()) return info.dtype();
    return arguments.get<Scalar>(name, Scalar()).is_exact() ? DType::int64 : DType::undefined;
  };
  const DType dtype = promote_types(of(a), of(b));
  const bool number = of(a) == DType::undefined || of(b) == DType::undefined;
  return compute_type(number && !is_floating(dtype) ? default_float : dtype);
}

/// Kernel of `searchsorted` and `bucketize`.
class SearchKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const std::string_view haystack =
        arguments.base_name() == "bucketize" ? "boundaries" : "sorted_sequence";
    type_ = common_type(arguments, haystack, "self");
    right_ = arguments.get<bool>("right", false) ||
             arguments.get<std::string>("side", "left") == "right";
    const TensorMeta& sequence = arguments.tensor(haystack).meta();
    n_ = sequence.rank() == 0 ? 1 : sequence.sizes[sequence.rank() - 1];
    shared_ = sequence.rank() <= 1;
    const TensorMeta& result = arguments.result(0);
    count_ = element_count(result);
    per_row_ = result.rank() == 0 ? 1 : result.sizes[result.rank() - 1];
    if (!shared_ && count_ * n_ != element_count(sequence) * per_row_)
      return arguments.context().fail("values of sizes ", result.sizes,
                                      " do not fit sequences of sizes ", sequence.sizes);
    Packer packer(arguments.context());
    TREADLE_CHECK(sequence_.prepare(arguments, packer, haystack, type_));
    TREADLE_CHECK(needles_.prepare(arguments, packer, "self", type_));
    TREADLE_CHECK(sorter_.prepare(arguments, packer, "sorter", ComputeType::int64));
    TREADLE_TRY(out_, packer.output(result, ComputeType::int64));
    out_slot_ = arguments.result_slot(0);
    if (type_ == ComputeType::complex128)
      return arguments.context().fail("not defined for complex");
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    if (type_ == ComputeType::int64) return run_as<std::int64_t>(context, tensors);
    if (type_ == ComputeType::float32) return run_as<float>(context, tensors);
    return run_as<double>(context, tensors);
  }

 private:
  template <class T>
  [[nodiscard]] std::int64_t find(const T* row, const std::int64_t* sorter, T needle) const {
    std::int64_t begin = 0, end = n_;
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      const T x = row[sorter ? std::clamp<std::int64_t>(sorter[middle], 0, n_ - 1) : middle];
      // As PyTorch asks: NaN is before everything, and everything before NaN.
      const bool goes_on = right_ ? !(x > needle) : !(x >= needle);
      (goes_on ? begin : end) = goes_on ? middle + 1 : middle;
    }
    return begin;
  }

  template <class T>
  Status run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    T number{};
    const T* sequence = sequence_.load<T>(context, tensors);
    const T* needles = needles_.load<T>(context, tensors, number);
    const auto* sorter = sorter_.load<std::int64_t>(context, tensors);
    auto* out = static_cast<std::int64_t*>(out_.target(context, *tensors[out_slot_]));
    context.parallel_for(count_, 512, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t row = shared_ ? 0 : i / per_row_ * n_;
        out[i] = find(sequence + row, sorter ? sorter + row : nullptr, needles[i]);
      }
    });
    out_.store(context, *tensors[out_slot_]);
    return {};
  }

  ComputeType type_ = ComputeType::float32;
  bool right_ = false, shared_ = true;
  std::int64_t n_ = 0, count_ = 0, per_row_ = 1;
  OptionalPacked sequence_, sorter_;
  Needles needles_;
  Packed out_;
  std::size_t out_slot_ = 0;
};

/// Kernel of `isin`: sorts the test elements, then looks each element up.
class IsInKernel {
 public:
  Status prepare(const CallArguments& arguments) {
    const auto& schema = arguments.schema();
    const auto elements = schema.arguments[0].name, tests = schema.arguments[1].name;
    type_ = common_type(arguments, elements, tests);
    invert_ = arguments.get<bool>("invert", false);
    Packer packer(arguments.context());
    TREADLE_CHECK(elements_.prepare(arguments, packer, elements, type_));
    TREADLE_CHECK(tests_.prepare(arguments, packer, tests, type_));
    const auto info = arguments.tensor(tests);
    test_count_ = info.is_none() ? 1 : element_count(info.meta());
    sorted_ = packer.reserve(static_cast<std::size_t>(test_count_) * 8);
    count_ = element_count(arguments.result(0));
    TREADLE_TRY(out_, packer.output(arguments.result(0), ComputeType::boolean));
    out_slot_ = arguments.result_slot(0);
    if (type_ == ComputeType::complex128)
      return arguments.context().fail("not defined for complex");
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    if (type_ == ComputeType::int64) return run_as<std::int64_t>(context, tensors);
    if (type_ == ComputeType::float32) return run_as<float>(context, tensors);
    return run_as<double>(context, tensors);
  }

 private:
  template <class T>
  Status run_as(RunContext<Backend>& context, Tensor* const* tensors) const {
    T element_number{}, test_number{};
    const T* elements = elements_.load<T>(context, tensors, element_number);
    const T* tests = tests_.load<T>(context, tensors, test_number);
    auto* sorted = reinterpret_cast<std::int64_t*>(context.scratch() + sorted_);
    std::int64_t* end = sorted;
    for (std::int64_t i = 0; i < test_count_; ++i)
      if (!is_not_a_number(tests[i])) *end++ = order_key(tests[i]);  // NaN equals nothing
    std::sort(sorted, end);
    auto* out = static_cast<bool*>(out_.target(context, *tensors[out_slot_]));
    for (std::int64_t i = 0; i < count_; ++i) {
      const bool found =
          !is_not_a_number(elements[i]) && std::binary_search(sorted, end, order_key(elements[i]));
      out[i] = found != invert_;
    }
    out_.store(context, *tensors[out_slot_]);
    return {};
  }

  ComputeType type_ = ComputeType::float32;
  bool invert_ = false;
  std::int64_t count_ = 0, test_count_ = 0;
  std::size_t sorted_ = 0, out_slot_ = 0;
  Needles elements_, tests_;
  Packed out_;
};

}  // namespace treadle::inline v0::cpu::detail
