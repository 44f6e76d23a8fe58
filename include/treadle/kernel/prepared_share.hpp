// What kernels make from weights, shared between nodes, plans and versions of the weights.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// Remembers packed weights as long as some plan keeps them. Safe from many threads.
class PreparedShare {
 public:
  /// What stands under this weight and key, or null. `weight` is the address of the weight's first
  /// element, which does not move while anything made from it is kept.
  [[nodiscard]] std::shared_ptr<const void> find(const void* weight, const std::string& key) const;
  void add(const void* weight, std::string key, const std::shared_ptr<const void>& made);
  /// Forgets everything: weights were changed where they lie.
  void clear();

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<const void*, std::string>, std::weak_ptr<const void>> entries_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/kernel/prepared_share-inl.hpp>
#endif
