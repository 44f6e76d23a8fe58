// Gives each thread a place of its own among a fixed number, without locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace treadle::inline v0::detail {

/// An address that belongs to the calling thread alone while it lives. The byte is never written.
inline const void* this_thread_mark() noexcept {
  static thread_local char mark = 0;
  return &mark;
}

/// A fixed number of `Lane`s, one for each thread that asks. A thread that begins after another has
/// ended may get that one's lane. Read lanes only while no thread writes its own.
template <class Lane>
class Lanes {
 public:
  /// Makes `count` lanes anew and lets `set_up` prepare each.
  template <class SetUp>
  void reset(std::size_t count, SetUp set_up) {
    slots_ = std::make_unique<Slot[]>(count + 1);  // the last one only counts
    count_ = count;
    for (std::size_t i = 0; i < count; ++i) set_up(slots_[i].lane);
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// The calling thread's lane; null if all are taken.
  [[nodiscard]] Lane* mine() noexcept {
    if (count_ == 0) return nullptr;
    const void* me = this_thread_mark();
    const auto address = reinterpret_cast<std::uintptr_t>(me);
    std::size_t at = static_cast<std::size_t>((address >> 4) * 0x9e37'79b9u >> 8) % count_;
    for (std::size_t tries = 0; tries < count_; ++tries) {
      const void* owner = slots_[at].owner.load(std::memory_order_relaxed);
      if (owner == me) return &slots_[at].lane;
      if (owner == nullptr &&
          slots_[at].owner.compare_exchange_strong(owner, me, std::memory_order_acq_rel))
        return &slots_[at].lane;
      if (++at == count_) at = 0;
    }
    slots_[count_].turned_away.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }

  /// How often `mine` gave null.
  [[nodiscard]] std::uint64_t turned_away() const noexcept {
    return count_ == 0 ? 0 : slots_[count_].turned_away.load(std::memory_order_relaxed);
  }

  template <class Visit>
  void for_each_taken(Visit visit) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (slots_[i].owner.load(std::memory_order_acquire)) visit(slots_[i].lane);
  }
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < count_; ++i) visit(slots_[i].lane);
  }

 private:
  /// Threads write their lanes all the time: no two share a cache line.
  struct alignas(64) Slot {
    std::atomic<const void*> owner{nullptr};
    std::atomic<std::uint64_t> turned_away{0};
    Lane lane;
  };

  std::unique_ptr<Slot[]> slots_;
  std::size_t count_ = 0;
};

}  // namespace treadle::inline v0::detail
