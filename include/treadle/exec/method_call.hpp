// One call of a custom object's method: arguments in, results out.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/context.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Arguments are the method's own: it may keep tensors. Lists hold their items one after the other.
template <TensorBackend Backend>
class MethodCall {
 public:
  explicit MethodCall(RunContext<Backend>& context) : context_(&context) {}

  [[nodiscard]] RunContext<Backend>& context() const noexcept { return *context_; }
  [[nodiscard]] Backend& backend() const noexcept { return context_->backend(); }

  /// How many arguments there are; the object itself is none of them.
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The items of argument `i`, one if it is no list; none if there is no such argument.
  [[nodiscard]] std::span<const Value<Backend>> list(std::size_t i) const noexcept {
    if (i >= ends_.size()) return {};
    const std::size_t first = i == 0 ? 0 : ends_[i - 1];
    return std::span<const Value<Backend>>(values_).subspan(first, ends_[i] - first);
  }
  /// Argument `i`; None if there is no such argument.
  [[nodiscard]] const Value<Backend>& argument(std::size_t i) const noexcept {
    const auto items = list(i);
    return items.empty() ? none_ : items[0];
  }
  /// Adds a result: a tensor, a number or an object; items of lists one after the other.
  void give(Value<Backend> value) { results_.push_back(std::move(value)); }

  template <class... Pieces>
  [[nodiscard]] Error fail(const Pieces&... pieces) const {
    return {ErrorCode::kernel_failed, concat(pieces...)};
  }

  // --- for the engine ----------------------------------------------------------------------------
  // A call: GCC 12 takes what it sees of a value made on the spot for used before it is set.
  [[gnu::noinline]] void add(Value<Backend> value) { values_.push_back(std::move(value)); }
  void end_argument() { ends_.push_back(values_.size()); }
  [[nodiscard]] std::vector<Value<Backend>>& results() noexcept { return results_; }

 private:
  RunContext<Backend>* context_;
  std::vector<Value<Backend>> values_;
  std::vector<std::size_t> ends_;
  std::vector<Value<Backend>> results_;
  Value<Backend> none_;
};

}  // namespace treadle::inline v0
