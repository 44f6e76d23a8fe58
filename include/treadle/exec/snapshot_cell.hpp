// A shared value that readers take without waiting and a writer replaces in one step.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace treadle::inline v0 {

/// Holds a `shared_ptr` to something immutable. `load` is wait-free: a fixed number of atomic steps
/// whatever other threads do. `store` waits for readers that are inside `load`, which is a matter
/// of nanoseconds unless one of them was suspended there, and then lets go of the old value, which
/// lives on with those who loaded it.
/// Source: Ramalhete and Correia, "Left-Right: a concurrency control technique with wait-free
/// population oblivious reads", 2015; here both sides are pointers.
template <class T>
class SnapshotCell {
 public:
  explicit SnapshotCell(std::shared_ptr<T> value = {}) { sides_[0] = std::move(value); }
  SnapshotCell(const SnapshotCell&) = delete;
  SnapshotCell& operator=(const SnapshotCell&) = delete;

  [[nodiscard]] std::shared_ptr<T> load() const noexcept {
    std::atomic<std::int64_t>& readers = readers_[epoch_.load()].count;
    readers.fetch_add(1);
    std::shared_ptr<T> value = sides_[side_.load()];
    readers.fetch_sub(1);
    return value;
  }

  /// Writers exclude each other.
  void store(std::shared_ptr<T> value) {
    const std::lock_guard lock(writer_);
    const std::uint32_t old = side_.load();
    sides_[1 - old] = std::move(value);
    side_.store(1 - old);
    // Readers may still be copying the old side: those counted in the other epoch first, so that it
    // can be opened to new ones, then those in this epoch.
    const std::uint32_t epoch = epoch_.load();
    drain(1 - epoch);
    epoch_.store(1 - epoch);
    drain(epoch);
    sides_[old].reset();
  }

 private:
  struct alignas(64) Readers {
    std::atomic<std::int64_t> count{0};
  };

  void drain(std::uint32_t epoch) {
    for (int spin = 0; readers_[epoch].count.load() != 0; ++spin) {
      if (spin < 1000) continue;
      std::mutex mutex;  // a short sleep
      std::unique_lock lock(mutex);
      std::condition_variable().wait_for(lock, std::chrono::microseconds(50));
    }
  }

  std::array<std::shared_ptr<T>, 2> sides_;
  mutable std::array<Readers, 2> readers_;
  std::atomic<std::uint32_t> side_{0};
  std::atomic<std::uint32_t> epoch_{0};
  std::mutex writer_;
};

}  // namespace treadle::inline v0
