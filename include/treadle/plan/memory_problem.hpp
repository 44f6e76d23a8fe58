// What a memory planner is given: requests, and which of them may not share bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/function_ref.hpp>

namespace treadle::inline v0 {

/// A piece of memory that is in use during the steps [begin, end]. It takes its size rounded up to
/// a multiple of its alignment, which is a power of two.
struct MemoryRequest {
  std::size_t size = 0;  ///< bytes
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::size_t alignment = 1;
};

/// May two requests, by index, be in use at the same time?
using MemoryConflict = FunctionRef<bool(std::size_t, std::size_t)>;

namespace detail {

constexpr std::size_t round_up(std::size_t n, std::size_t alignment) noexcept {
  return (n + alignment - 1) / alignment * alignment;
}

}  // namespace detail

/// Requests with their interference. Refers to the requests, which must outlive it.
///
/// Lifetimes are steps of one linear order. Under that order alone two requests conflict if their
/// steps meet. A plan that has to hold in any order of a partial one names further conflicts: the
/// linear order is one of those that may happen, so lifetimes that meet conflict in any case.
class MemoryProblem {
 public:
  /// Requests that conflict exactly if their steps meet.
  explicit MemoryProblem(std::span<const MemoryRequest> requests) : requests_(requests) {}

  /// Requests that conflict if their steps meet, or if `more`, which is symmetric, says so. Calls
  /// `more` once for each pair that time keeps apart, and keeps the answers as bits.
  MemoryProblem(std::span<const MemoryRequest> requests, MemoryConflict more);

  [[nodiscard]] std::span<const MemoryRequest> requests() const noexcept { return requests_; }
  [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
  /// Do lifetimes alone decide?
  [[nodiscard]] bool is_linear() const noexcept { return conflicts_.empty(); }

  /// May the two not share a byte?
  [[nodiscard]] bool conflict(std::size_t i, std::size_t j) const noexcept {
    if (is_linear()) return meet(i, j);
    return (conflicts_[i * words_ + j / 64] >> (j % 64)) & 1;
  }

  /// The bytes that a request takes.
  [[nodiscard]] std::size_t bytes(std::size_t i) const noexcept {
    return detail::round_up(requests_[i].size, requests_[i].alignment);
  }

  /// The most that is in use in one step, and the first step in which it is. No plan needs less:
  /// all requests of one step conflict with each other.
  [[nodiscard]] std::pair<std::size_t, std::uint32_t> busiest_step() const;

 private:
  [[nodiscard]] bool meet(std::size_t i, std::size_t j) const noexcept {
    return requests_[i].begin <= requests_[j].end && requests_[j].begin <= requests_[i].end;
  }

  std::span<const MemoryRequest> requests_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> conflicts_;  ///< a row of bits for each request
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/plan/memory_problem-inl.hpp>
#endif
