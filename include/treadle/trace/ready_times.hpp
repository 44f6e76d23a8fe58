// Remembers when nodes became ready until they begin.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <treadle/trace/tracer.hpp>

namespace treadle::inline v0::detail {

/// A table of fixed size for the few nodes that are ready and have not begun. A node is put before
/// it is taken, by any threads; others may be put and taken meanwhile.
class ReadyTimes {
 public:
  static constexpr std::int64_t unknown = -1;

  void reset(std::size_t capacity) {
    std::size_t buckets = 1;
    while (buckets * width < capacity) buckets *= 2;
    slots_ = std::make_unique<Slot[]>(buckets * width);
    mask_ = buckets - 1;
  }

  /// False if there is no room near the node's place.
  bool put(const NodeRun& at, std::int64_t time) noexcept {
    if (!slots_) return false;
    const std::uint64_t key = key_of(at);
    Slot* bucket = bucket_of(key);
    for (std::size_t i = 0; i < width; ++i) {
      std::uint64_t found = bucket[i].key.load(std::memory_order_relaxed);
      if (found != key && (found != 0 || !bucket[i].key.compare_exchange_strong(
                                             found, key, std::memory_order_relaxed)))
        continue;
      bucket[i].time.store(time, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  /// When the node became ready, or `unknown`; forgets it.
  std::int64_t take(const NodeRun& at) noexcept {
    if (!slots_) return unknown;
    const std::uint64_t key = key_of(at);
    Slot* bucket = bucket_of(key);
    for (std::size_t i = 0; i < width; ++i) {
      if (bucket[i].key.load(std::memory_order_relaxed) != key) continue;
      const std::int64_t time = bucket[i].time.load(std::memory_order_relaxed);
      bucket[i].key.store(0, std::memory_order_relaxed);
      return time;
    }
    return unknown;
  }

 private:
  static constexpr std::size_t width = 8;
  struct Slot {
    std::atomic<std::uint64_t> key{0};  ///< 0 for an empty slot
    std::atomic<std::int64_t> time{0};
  };

  /// The mix of splitmix64.
  [[nodiscard]] static std::uint64_t mixed(std::uint64_t x) noexcept {
    x += 0x9e37'79b9'7f4a'7c15u;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebu;
    return x ^ (x >> 31);
  }
  /// 64 mixed bits of run, graph and node, never 0.
  [[nodiscard]] static std::uint64_t key_of(const NodeRun& at) noexcept {
    const std::uint64_t place = std::uint64_t{at.node.index} << 32 | at.graph.index;
    const std::uint64_t key = mixed(mixed(reinterpret_cast<std::uintptr_t>(at.run)) ^ place);
    return key == 0 ? 1 : key;
  }
  [[nodiscard]] Slot* bucket_of(std::uint64_t key) const noexcept {
    return slots_.get() + (key & mask_) * width;
  }

  std::unique_ptr<Slot[]> slots_;
  std::size_t mask_ = 0;
};

}  // namespace treadle::inline v0::detail
