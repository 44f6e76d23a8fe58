// What a host brings to run the parts of a program that were lowered for something else.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/graph/graph_body.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0 {

/// A record of a program file that belongs to lowered parts, e.g. `executorch/part-Npu`. The engine
/// never looks into it.
struct DelegateFile {
  std::string name;  ///< path below the file's `data/` folder
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< keeps `bytes` alive
};

/// What is known of one delegated node when its delegate is made. Valid for that call, except what
/// is shared.
struct DelegateInfo {
  std::string_view target;                ///< `higher_order::executorch_call_delegate`, …
  std::string_view name;                  ///< what the program calls the lowered part; may be empty
  std::vector<DelegateFile> files;        ///< its payload: the records named after it
  std::shared_ptr<const GraphBody> body;  ///< the part as a graph, if the program has it; or null
  /// What the program says of each operand and result; null for numbers. Sizes may be expressions.
  std::vector<const TensorType*> operands;
  std::vector<const TensorType*> results;
  std::vector<std::string> weights;  ///< for each operand, the weight that it is; empty for others
};

/// One lowered part of a program, made by its host. Runs may come from many threads at once, and
/// while weights are swapped, runs with different versions of them.
template <TensorBackend Backend>
class Delegate {
 public:
  using Tensor = typename Backend::Tensor;

  Delegate() = default;
  Delegate(const Delegate&) = delete;
  Delegate& operator=(const Delegate&) = delete;
  virtual ~Delegate() = default;

  /// Makes what runs with these weights need, beside runs that go on with earlier ones; null if
  /// that is nothing. It lives as long as a run may use these weights, and so do they.
  virtual Result<std::shared_ptr<const void>> process_weights(const Weights<Backend>&) {
    return std::shared_ptr<const void>();
  }
  /// Runs that begin from now on use the weights that were processed last.
  virtual void commit_weights() noexcept {}

  /// Computes the results from the operands. `weights` is what `process_weights` made of the run's
  /// version of the weights. Operands that are numbers come as tensors without dimensions, None as
  /// null. Results are there already, except those whose sizes the program does not tell: they come
  /// empty and take `RunContext::allocate`.
  virtual Status run(RunContext<Backend>& context, const void* weights,
                     std::span<const Tensor* const> operands, std::span<Tensor* const> results) = 0;
};

/// The delegates that a host has, by name: a value, copy it, add to it.
template <TensorBackend Backend>
class Delegates {
 public:
  using Make = std::function<Result<std::unique_ptr<Delegate<Backend>>>(const DelegateInfo&)>;

  /// `name` is that of one lowered part (`part-Npu`), of what it was lowered for (`Npu`: what
  /// stands after the last dash), or of the operator that calls it (`aoti_call_delegate`). The
  /// most special one is taken.
  Delegates& add(std::string name, Make make) {
    by_name_.insert_or_assign(std::move(name), std::move(make));
    return *this;
  }

  /// What makes the delegate of this lowered part, or null.
  [[nodiscard]] const Make* find(std::string_view target, std::string_view name) const {
    if (const auto* make = at(name)) return make;
    if (const auto dash = name.rfind('-'); dash != std::string_view::npos)
      if (const auto* make = at(name.substr(dash + 1))) return make;
    const auto colons = target.rfind(':');
    return at(colons == std::string_view::npos ? target : target.substr(colons + 1));
  }

 private:
  [[nodiscard]] const Make* at(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &found->second;
  }
  std::map<std::string, Make, std::less<>> by_name_;
};

}  // namespace treadle::inline v0
