// Definitions of plan/conflict_set.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/conflict_set.hpp>

namespace treadle::inline v0::detail {

/// Sends as many bytes as possible from requests to requests that may reuse them. Every request has
/// two ends: bytes that it gives on when it dies, and bytes that it takes when it begins.
class ReuseFlow {
 public:
  explicit ReuseFlow(const MemoryProblem& problem)
      : count_(problem.size()),
        words_((count_ + 63) / 64),
        heirs_(count_ * words_),
        takers_(count_),
        gives_(count_),
        takes_(count_) {
    for (std::size_t i = 0; i < count_; ++i) {
      gives_[i] = takes_[i] = problem.bytes(i);
      for (std::size_t j = 0; j < count_; ++j)
        if (problem.requests()[i].end < problem.requests()[j].begin && !problem.conflict(i, j))
          heirs_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
    }
  }

  /// False if the budget is used up.
  bool run(std::uint64_t budget) {
    while (search()) {
      augment();
      if (work_ > budget) return false;
    }
    return true;
  }

  /// After the flow is largest: the requests that bytes which find no heir can't be taken from.
  [[nodiscard]] std::vector<std::size_t> uncovered() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < count_; ++i)
      if (giver_from_[i] != nobody && taker_from_[i] == nobody) found.push_back(i);
    return found;
  }

  /// Who takes all bytes of whom, followed to the first one.
  [[nodiscard]] std::vector<std::size_t> chains(const MemoryProblem& problem) const {
    std::vector<std::size_t> first(count_);
    const std::vector<std::size_t> order = sorted_places(count_, [&](std::size_t a, std::size_t b) {
      const auto x = problem.requests()[a].begin, y = problem.requests()[b].begin;
      return x != y ? x < y : a < b;
    });
    for (const std::size_t j : order) {
      first[j] = j;
      for (const Share& share : takers_[j])
        if (share.bytes == problem.bytes(j) && share.bytes == problem.bytes(share.giver))
          first[j] = first[share.giver];
    }
    return first;
  }

 private:
  static constexpr std::size_t nobody = SIZE_MAX, itself = SIZE_MAX - 1;
  /// Bytes that a request takes from another.
  struct Share {
    std::size_t giver;
    std::size_t bytes;
  };

  /// Breadth first from the requests with bytes to give, to one that can still take some.
  bool search() {
    giver_from_.assign(count_, nobody);
    taker_from_.assign(count_, nobody);
    std::vector<std::uint64_t> fresh(words_, ~std::uint64_t{0});
    std::vector<std::size_t> queue;
    for (std::size_t i = 0; i < count_; ++i)
      if (gives_[i] > 0) {
        giver_from_[i] = itself;
        queue.push_back(i);
      }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t i = queue[head];
      work_ += words_;
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t reached = heirs_[i * words_ + w] & fresh[w];
        fresh[w] &= ~reached;
        for (; reached != 0; reached &= reached - 1) {
          const std::size_t j = w * 64 + static_cast<std::size_t>(std::countr_zero(reached));
          taker_from_[j] = i;
          if (takes_[j] > 0) {
            end_ = j;
            return true;
          }
          work_ += takers_[j].size();
          for (const Share& share : takers_[j])
            if (share.bytes > 0 && giver_from_[share.giver] == nobody) {
              giver_from_[share.giver] = j;
              queue.push_back(share.giver);
            }
        }
      }
    }
    return false;
  }

  Share& share(std::size_t taker, std::size_t giver) {
    for (auto& known : takers_[taker])
      if (known.giver == giver) return known;
    return takers_[taker].emplace_back(Share{giver, 0});
  }

  /// Sends what the path found can carry.
  void augment() {
    std::size_t bytes = takes_[end_];
    for (std::size_t j = end_;;) {
      const std::size_t i = taker_from_[j];
      if (giver_from_[i] == itself) {
        bytes = std::min(bytes, gives_[i]);
        break;
      }
      j = giver_from_[i];
      bytes = std::min(bytes, share(j, i).bytes);
    }
    takes_[end_] -= bytes;
    for (std::size_t j = end_;;) {
      const std::size_t i = taker_from_[j];
      share(j, i).bytes += bytes;
      if (giver_from_[i] == itself) {
        gives_[i] -= bytes;
        return;
      }
      j = giver_from_[i];
      share(j, i).bytes -= bytes;
    }
  }

  std::size_t count_;
  std::size_t words_;
  std::vector<std::uint64_t> heirs_;  ///< rows of bits: who begins after the row's request died
  std::vector<std::vector<Share>> takers_;
  std::vector<std::size_t> gives_, takes_;            ///< bytes left
  std::vector<std::size_t> giver_from_, taker_from_;  ///< how the last search got there
  std::size_t end_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace treadle::inline v0::detail

namespace treadle::inline v0 {

TREADLE_INLINE ConflictFlow conflict_flow(const MemoryProblem& problem, std::uint64_t budget) {
  detail::ReuseFlow flow(problem);
  ConflictFlow result;
  const bool largest = flow.run(budget);
  result.chain = flow.chains(problem);
  if (!largest) return result;
  result.heaviest = flow.uncovered();
  for (const std::size_t i : result.heaviest)
    for (const std::size_t j : result.heaviest)
      if (i != j && !problem.conflict(i, j)) {
        result.heaviest.clear();
        return result;
      }
  return result;
}

TREADLE_INLINE std::vector<std::size_t> heaviest_conflict_set(const MemoryProblem& problem,
                                                              std::uint64_t budget) {
  return conflict_flow(problem, budget).heaviest;
}

}  // namespace treadle::inline v0
