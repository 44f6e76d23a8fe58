// A shared value that readers take without waiting and a writer replaces in one step.
#pragma once

#include <array>
#include <atomic>
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
    if (readers.fetch_sub(1) == 1 && writer_waits_.load()) readers.notify_all();
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
    std::atomic<std::int64_t>& readers = readers_[epoch].count;
    for (int spin = 0; spin < 1000; ++spin)
      if (readers.load() == 0) return;
    writer_waits_.store(true);
    for (std::int64_t count = readers.load(); count != 0; count = readers.load())
      readers.wait(count);
    writer_waits_.store(false);
  }

  std::array<std::shared_ptr<T>, 2> sides_;
  mutable std::array<Readers, 2> readers_;
  std::atomic<std::uint32_t> side_{0};
  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<bool> writer_waits_{false};
  std::mutex writer_;
};

}  // namespace treadle::inline v0
