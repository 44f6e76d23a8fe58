// What kernels make from weights, shared between nodes, plans and versions of the weights.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace treadle::inline v0 {

/// Remembers packed weights as long as some plan keeps them. Safe from many threads.
class PreparedShare {
 public:
  /// What stands under this weight and key, or null. `weight` is the address of the weight's first
  /// element, which does not move while anything made from it is kept.
  [[nodiscard]] std::shared_ptr<const void> find(const void* weight, const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find({weight, key});
    return found == entries_.end() ? nullptr : found->second.lock();
  }
  void add(const void* weight, std::string key, const std::shared_ptr<const void>& made) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
    entries_.insert_or_assign({weight, std::move(key)}, made);
  }
  /// Forgets everything: weights were changed where they lie.
  void clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<const void*, std::string>, std::weak_ptr<const void>> entries_;
};

}  // namespace treadle::inline v0
