// Steps that call methods of custom objects.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exec/frame.hpp>
#include <treadle/exec/method_call.hpp>
#include <treadle/exec/transfer.hpp>

namespace treadle::inline v0::detail {

/// Calls one method with copies of what the frame's slots hold now.
template <TensorBackend Backend>
class MethodStep {
  using Tensor = typename Backend::Tensor;

 public:
  MethodStep(Frame<Backend>& frame, RunContext<Backend>& context, NodeId node)
      : frame_(frame),
        graph_(*frame.plan().graph->graph),
        node_(graph_.node(node)),
        site_(frame.plan().graph->site(node)),
        call_(context) {}

  Status run() {
    const CustomObject self = frame_.object(*site_.arguments[0].value());
    if (!self.object) return Error(ErrorCode::kernel_failed, "the object is missing");
    for (std::size_t i = 1; i < site_.arguments.size(); ++i) {
      TREADLE_CHECK(add(site_.arguments[i]).with_context(concat("argument ", i - 1)));
      call_.end_argument();
    }
    TREADLE_CHECK(frame_.plan().executable->bound().method(site_.op)(self.object.get(), call_));
    return take_results();
  }

 private:
  Status add(const Argument& argument) {
    if (const auto* items = argument.list()) {
      for (const auto& item : *items) TREADLE_CHECK(add(item));
      return {};
    }
    if (const auto* v = argument.value()) return add_value(*v);
    if (const auto* constant = argument.constant())
      return std::visit([this](const auto& value) { return this->add_constant(value); }, *constant);
    return Error(ErrorCode::type_mismatch, "a method can't take a dictionary or a graph");
  }

  Status add_value(ValueId v) {
    if (!v.valid()) {
      call_.add({});
    } else if (graph_.value(v).kind == ValueKind::custom_object) {
      call_.add(frame_.object(v));
    } else if (const auto number = frame_.number_of(v)) {
      add_number(*number);
    } else {
      TREADLE_TRY(auto copy, clone_tensor(frame_.backend(), frame_.tensor(v)));
      call_.add(std::move(copy));
    }
    return {};
  }
  void add_number(const Number& number) {
    if (number.is_boolean())
      call_.add(number.truthy());
    else if (number.is_integer())
      call_.add(number.integer);
    else
      call_.add(number.real);
  }

  template <class T>
  Status add_constant(const T& value) {
    if constexpr (std::is_same_v<T, None>)
      call_.add({});
    else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> ||
                       std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>> ||
                       std::is_same_v<T, std::string>)
      call_.add(value);
    else
      return Error(ErrorCode::type_mismatch, "a method can't take a constant of this type");
    return {};
  }
  template <class Item>
  Status add_constant(const std::vector<Item>& items) {
    for (std::size_t i = 0; i < items.size(); ++i)
      TREADLE_CHECK(add_constant(static_cast<const Item&>(items[i])));
    return {};
  }

  Status take_results() {
    auto& results = call_.results();
    for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
      const ValueId v = node_.outputs[i];
      if (!v.valid()) continue;
      if (i >= results.size())
        return call_.fail("the method gave ", results.size(), " results, expected ",
                          node_.outputs.size());
      TREADLE_CHECK(take(v, results[i]).with_context(concat("result ", i)));
    }
    return {};
  }

  Status take(ValueId v, Value<Backend>& result) {
    const ValueKind kind = graph_.value(v).kind;
    if (kind == ValueKind::custom_object) {
      TREADLE_TRY(frame_.object(v), result.object());
    } else if (kind == ValueKind::tensor) {
      TREADLE_TRY(auto tensor, result.tensor());
      // Memory that was planned holds a copy: the object may keep what it gave.
      if (frame_.plan().known.values[v.index].meta)
        return copy_tensor(frame_.backend(), tensor, frame_.tensor(v));
      frame_.tensor(v) = std::move(tensor);
    } else if (const auto* truth = result.template get_if<bool>()) {
      frame_.number(v) = Number(*truth);
    } else if (const auto* integer = result.template get_if<std::int64_t>()) {
      frame_.number(v) = Number(*integer);
    } else if (const auto* real = result.template get_if<double>()) {
      frame_.number(v) = Number(*real);
    } else {
      return call_.fail("expected a number, found ", result.kind());
    }
    return {};
  }

  Frame<Backend>& frame_;
  const GraphBody& graph_;
  const Node& node_;
  const CallSite& site_;
  MethodCall<Backend> call_;
};

}  // namespace treadle::inline v0::detail
