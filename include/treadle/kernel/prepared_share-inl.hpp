// Definitions of prepared_share.hpp.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <treadle/kernel/prepared_share.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::shared_ptr<const void> PreparedShare::find(const void* weight,
                                                               const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find({weight, key});
  return found == entries_.end() ? nullptr : found->second.lock();
}

TREADLE_INLINE void PreparedShare::add(const void* weight, std::string key,
                                       const std::shared_ptr<const void>& made) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
  entries_.insert_or_assign({weight, std::move(key)}, made);
}

TREADLE_INLINE void PreparedShare::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace treadle::inline v0
