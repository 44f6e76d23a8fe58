// What a program remembers from run to run.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/exec/transfer.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/kernel/random.hpp>
#include <treadle/value/value.hpp>

namespace treadle::inline v0 {

/// Private copies of exactly the buffers that a program changes, and its random numbers. Everything
/// else stays shared in the weights. One run at a time may use a state.
template <TensorBackend Backend>
class State {
 public:
  using Tensor = typename Backend::Tensor;

  State() = default;
  /// Copies the weights at these positions, and those that share storage with them.
  [[nodiscard]] static Result<State> make(Backend& backend, const Weights<Backend>& weights,
                                          const std::set<std::size_t>& changed) {
    State state;
    std::set<std::size_t> storages;
    for (const std::size_t i : changed) storages.insert(weights.entries()[i].source.storage);
    std::map<std::size_t, Tensor> copies;
    for (std::size_t i = 0; i < weights.entries().size(); ++i) {
      const auto& entry = weights.entries()[i];
      if (!storages.contains(entry.source.storage)) continue;
      TREADLE_TRY(auto tensor, Weights<Backend>::copy(backend, entry.source, copies));
      state.tensors_.emplace(i, std::move(tensor));
    }
    return state;
  }

  /// An independent copy of everything.
  [[nodiscard]] Result<State> copy(Backend& backend, const Weights<Backend>& weights) const {
    std::set<std::size_t> all;
    for (const auto& [i, tensor] : tensors_) all.insert(i);
    TREADLE_TRY(auto other, make(backend, weights, all));
    other.random_ = random_;
    for (const auto& held : objects_) {
      TREADLE_TRY(auto object, held.copy(held.object.object.get()));
      other.add_object({held.object.type_name, std::move(object)}, held.copy);
    }
    for (auto& [i, tensor] : other.tensors_)
      TREADLE_CHECK(copy_tensor(backend, tensors_.at(i), tensor));
    return other;
  }

  /// The state's own tensor for a weight position, or null if the weight does not change.
  [[nodiscard]] const Tensor* find(std::size_t weight) const noexcept {
    const auto found = tensors_.find(weight);
    return found == tensors_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::map<std::size_t, Tensor>& tensors() const noexcept { return tensors_; }
  [[nodiscard]] RandomState& random() noexcept { return random_; }
  /// The state's own custom object, by its place among the program's.
  [[nodiscard]] const CustomObject& object(std::size_t i) const noexcept {
    return objects_[i].object;
  }
  [[nodiscard]] std::size_t object_count() const noexcept { return objects_.size(); }

  using CopyObject = std::function<Result<std::shared_ptr<void>>(const void* object)>;
  /// Appends an object; `copy` makes another like it.
  void add_object(CustomObject object, CopyObject copy) {
    objects_.push_back({std::move(object), std::move(copy)});
  }

 private:
  struct HeldObject {
    CustomObject object;
    CopyObject copy;
  };
  std::map<std::size_t, Tensor> tensors_;
  std::vector<HeldObject> objects_;
  RandomState random_;
};

}  // namespace treadle::inline v0
