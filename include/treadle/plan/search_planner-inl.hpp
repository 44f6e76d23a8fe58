// Definitions of plan/search_planner.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/conflict_set.hpp>
#include <treadle/plan/search_planner.hpp>
#include <treadle/plan/skyline_search.hpp>

namespace treadle::inline v0::detail {

/// A linear problem as the search wants it: sizes in units of what they all are multiples of, time
/// in sections.
class SectionedProblem {
 public:
  explicit SectionedProblem(const MemoryProblem& problem) {
    std::size_t alignment = 1;
    for (const auto& r : problem.requests()) alignment = std::max(alignment, r.alignment);
    std::vector<std::size_t> times;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const auto& r = problem.requests()[i];
      if (r.size == 0) continue;
      owners.push_back(i);
      sizes_.push_back(round_up(r.size, alignment));
      exact = exact && sizes_.back() == problem.bytes(i);
      unit = std::gcd(unit, sizes_.back());
      times.push_back(r.begin);
      times.push_back(std::uint64_t{r.end} + 1);
    }
    sort_numbers(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const auto section = [&](std::uint64_t time) {
      return static_cast<std::uint32_t>(std::lower_bound(times.begin(), times.end(), time) -
                                        times.begin());
    };
    for (std::size_t k = 0; k < owners.size(); ++k) {
      const auto& r = problem.requests()[owners[k]];
      pieces.push_back({sizes_[k] / unit, section(r.begin), section(std::uint64_t{r.end} + 1)});
    }
    sections = static_cast<std::uint32_t>(times.empty() ? 0 : times.size() - 1);
  }

  /// The most that is in use in one section, in units.
  [[nodiscard]] std::uint64_t lower_bound() const {
    std::vector<std::int64_t> change(std::size_t{sections} + 1, 0);
    for (const auto& piece : pieces) {
      change[piece.begin] += static_cast<std::int64_t>(piece.size);
      change[piece.end] -= static_cast<std::int64_t>(piece.size);
    }
    std::int64_t now = 0, most = 0;
    for (const std::int64_t c : change) most = std::max(most, now += c);
    return static_cast<std::uint64_t>(most);
  }

  std::vector<std::size_t> owners;  ///< the request of each piece; requests without bytes have none
  std::vector<SkylinePiece> pieces;
  std::uint32_t sections = 0;
  std::size_t unit = 0;  ///< bytes
  bool exact = true;  ///< no piece is larger than its request, for the sake of another's alignment

 private:
  std::vector<std::size_t> sizes_;
};

/// A search with some rules under which it is quick for some problems and slow for others.
struct SearchRules {
  PieceKeys keys;
  SectionRule section;
};

inline constexpr SearchRules search_rules[] = {
    {{PieceKey::width, PieceKey::area, PieceKey::crowding}, SectionRule::fewest_choices},
    {{PieceKey::crowding, PieceKey::area, PieceKey::width}, SectionRule::fewest_choices},
    {{PieceKey::width, PieceKey::area, PieceKey::crowding}, SectionRule::least_room},
    {{PieceKey::crowding, PieceKey::width, PieceKey::area}, SectionRule::fewest_choices},
    {{PieceKey::size, PieceKey::width, PieceKey::crowding}, SectionRule::fewest_choices},
    {{PieceKey::crowding, PieceKey::area, PieceKey::width}, SectionRule::least_room},
    {{PieceKey::area, PieceKey::width, PieceKey::crowding}, SectionRule::fewest_choices},
    {{PieceKey::width, PieceKey::area, PieceKey::crowding}, SectionRule::lowest},
};

/// Searches for packings of one problem on one budget.
class TargetSearch {
 public:
  TargetSearch(const SectionedProblem& problem, std::uint64_t budget)
      : problem_(problem), budget_(budget) {}

  /// Tries all rules with little work each, then with twice as much, until `share` is used up or
  /// one of them settles it. On success `offsets` has the pieces' places.
  SearchOutcome run(std::uint64_t capacity, std::uint64_t share,
                    std::vector<std::uint64_t>& offsets) {
    share = std::min(share, budget_);
    const std::uint64_t first = 64 * std::uint64_t{problem_.pieces.size()} * problem_.sections;
    for (std::uint64_t slice = first; share > 0; slice *= 2)
      for (const auto& rules : search_rules) {
        SkylineSearch search(problem_.pieces, problem_.sections, capacity, rules.keys,
                             rules.section);
        const auto outcome = search.run(std::min(slice, share));
        const std::uint64_t used = std::min(search.work() + 1, share);
        share -= used;
        budget_ -= used;
        if (outcome == SearchOutcome::found) {
          offsets.resize(problem_.pieces.size());
          for (std::uint32_t i = 0; i < offsets.size(); ++i) offsets[i] = search.offset(i);
        }
        if (outcome != SearchOutcome::gave_up) return outcome;
        if (share == 0) break;
      }
    return SearchOutcome::gave_up;
  }

  [[nodiscard]] std::uint64_t budget() const noexcept { return budget_; }

 private:
  const SectionedProblem& problem_;
  std::uint64_t budget_;
};

/// Narrows the gap from both ends: half the budget is for the bound itself.
TREADLE_INLINE void close_gap(const SectionedProblem& sectioned, std::uint64_t budget,
                              std::size_t enough, ArenaPlan& best) {
  TargetSearch search(sectioned, budget);
  const std::uint64_t proved = sectioned.lower_bound();
  std::uint64_t target = std::max<std::uint64_t>(proved, enough / sectioned.unit);
  std::uint64_t hopeless = proved - 1;  // no packing found up to there
  std::uint64_t bound = proved;         // no packing exists below
  std::vector<std::uint64_t> offsets;
  while (search.budget() > 0 && best.peak > enough && target * sectioned.unit < best.peak) {
    const auto outcome = search.run(target, (search.budget() + 1) / 2, offsets);
    if (outcome == SearchOutcome::found) {
      best.peak = 0;
      best.offsets.assign(best.offsets.size(), 0);
      for (std::size_t k = 0; k < offsets.size(); ++k) {
        const std::size_t at = offsets[k] * sectioned.unit;
        best.offsets[sectioned.owners[k]] = at;
        best.peak = std::max(best.peak, at + sectioned.pieces[k].size * sectioned.unit);
      }
    } else {
      hopeless = target;
      if (outcome == SearchOutcome::impossible) bound = std::max(bound, target + 1);
    }
    const std::uint64_t top = best.peak / sectioned.unit;
    target = hopeless + std::max<std::uint64_t>((top - std::min(top, hopeless)) / 2, 1);
  }
  if (bound > proved && sectioned.exact)
    best.lower_bound = std::max(best.lower_bound, bound * sectioned.unit);
}

/// Places chains of requests that do not conflict as one request each, if that gives a lower peak.
TREADLE_INLINE void place_chains(const MemoryProblem& problem, std::span<const std::size_t> chain,
                                 const RepackingPlanner& planner, ArenaPlan& best) {
  std::vector<std::vector<std::size_t>> members;
  std::vector<std::size_t> link(problem.size(), SIZE_MAX);
  std::vector<MemoryRequest> requests;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    std::size_t& at = link[chain[i]];
    const auto& r = problem.requests()[i];
    if (at == SIZE_MAX) {
      at = members.size();
      members.emplace_back();
      requests.push_back(r);
    }
    members[at].push_back(i);
    requests[at].begin = std::min(requests[at].begin, r.begin);
    requests[at].end = std::max(requests[at].end, r.end);
    requests[at].alignment = std::max(requests[at].alignment, r.alignment);
  }
  // On the safe side: between its members' lifetimes a chain counts as in use.
  const auto conflict = [&](std::size_t a, std::size_t b) {
    return std::ranges::any_of(members[a], [&](std::size_t i) {
      return std::ranges::any_of(members[b], [&](std::size_t j) { return problem.conflict(i, j); });
    });
  };
  const ArenaPlan plan = planner.plan(MemoryProblem(requests, conflict));
  if (plan.peak >= best.peak) return;
  best.peak = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    best.offsets[i] = plan.offsets[link[chain[i]]];
    best.peak = std::max(best.peak, best.offsets[i] + problem.bytes(i));
  }
}

}  // namespace treadle::inline v0::detail

namespace treadle::inline v0 {

TREADLE_INLINE ArenaPlan SearchPlanner::plan(const MemoryProblem& problem) const {
  ArenaPlan best = heuristics.plan(problem);
  if (best.is_optimal() || best.peak <= enough || problem.size() > max_requests || budget == 0)
    return best;
  if (!problem.is_linear()) {
    const auto flow = conflict_flow(problem, budget);
    std::size_t together = 0;
    for (const std::size_t i : flow.heaviest) together += problem.bytes(i);
    best.lower_bound = std::max(best.lower_bound, together);
    if (!best.is_optimal()) detail::place_chains(problem, flow.chain, heuristics, best);
    return best;
  }
  const detail::SectionedProblem sectioned(problem);
  std::uint64_t covered = 0;
  for (const auto& piece : sectioned.pieces) covered += piece.end - piece.begin;
  // The tables take a word for each piece in each section.
  if (covered <= std::uint64_t{1} << 24) detail::close_gap(sectioned, budget, enough, best);
  return best;
}

}  // namespace treadle::inline v0
