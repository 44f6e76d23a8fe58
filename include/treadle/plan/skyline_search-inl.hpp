// Definitions of plan/skyline_search.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <treadle/core/sort_places.hpp>
#include <treadle/plan/skyline_search.hpp>

namespace treadle::inline v0::detail {

/// For each piece, its place in the order by the keys.
TREADLE_INLINE std::vector<std::uint32_t> piece_ranks(std::span<const SkylinePiece> pieces,
                                                      const Skyline& skyline,
                                                      const PieceKeys& keys) {
  std::vector<std::uint64_t> crowding(pieces.size(), 0);
  for (std::uint32_t s = 0; s < skyline.sections(); ++s) {
    std::uint64_t use = 0;
    for (const std::uint32_t i : skyline.left(s)) use += pieces[i].size;
    for (const std::uint32_t i : skyline.left(s)) crowding[i] = std::max(crowding[i], use);
  }
  const auto value = [&](PieceKey key, std::uint32_t i) -> std::uint64_t {
    const std::uint64_t width = pieces[i].end - pieces[i].begin;
    switch (key) {
      case PieceKey::width: return width;
      case PieceKey::area: return width * pieces[i].size;
      case PieceKey::crowding: return crowding[i];
      case PieceKey::size: return pieces[i].size;
    }
    return 0;
  };
  std::vector<std::uint32_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_places(order, [&](std::uint32_t a, std::uint32_t b) {
    for (const PieceKey key : keys)
      if (const auto x = value(key, a), y = value(key, b); x != y) return x > y;
    return a < b;
  });
  std::vector<std::uint32_t> ranks(pieces.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) ranks[order[k]] = k;
  return ranks;
}

TREADLE_INLINE SkylineSearch::SkylineSearch(std::span<const SkylinePiece> pieces,
                                            std::uint32_t sections, std::uint64_t capacity,
                                            const PieceKeys& keys, SectionRule rule)
    : skyline_(pieces, sections, capacity),
      rule_(rule),
      ranks_(piece_ranks(pieces, skyline_, keys)) {}

TREADLE_INLINE SearchOutcome SkylineSearch::run(std::uint64_t work) {
  limit_ = work;
  return solve({0, skyline_.sections()});
}

/// Stretches of the range that no piece left reaches across, the shortest first.
TREADLE_INLINE std::vector<SkylineSearch::Range> SkylineSearch::parts(Range range) const {
  std::vector<Range> found;
  for (std::uint32_t s = range.begin; s < range.end;) {
    if (skyline_.left(s).empty()) {
      ++s;
      continue;
    }
    Range part{s, s + 1};
    for (; s < part.end; ++s)
      for (const std::uint32_t i : skyline_.left(s))
        part.end = std::max(part.end, skyline_.piece(i).end);
    found.push_back(part);
  }
  std::sort(found.begin(), found.end(), [](const Range& a, const Range& b) {
    const std::uint32_t x = a.end - a.begin, y = b.end - b.begin;
    return x != y ? x < y : a.begin < b.begin;
  });
  return found;
}

TREADLE_INLINE SkylineSearch::Choice SkylineSearch::judge(std::uint32_t section) {
  std::uint64_t choices = 0, left = 0;
  const auto pieces = skyline_.left(section);
  own_work_ += pieces.size();
  for (const std::uint32_t i : pieces) {
    left += skyline_.piece(i).size;
    choices += skyline_.lowest(i) == skyline_.floor(section);
  }
  const std::uint64_t room = skyline_.capacity() - skyline_.floor(section) - left;
  choices += room > 0;
  switch (rule_) {
    case SectionRule::fewest_choices: return {section, choices, room};
    case SectionRule::least_room: return {section, room, choices};
    case SectionRule::lowest: break;
  }
  return {section, skyline_.floor(section), choices};
}

/// Looks at the valleys: sections of one floor, with higher ones or the range's end on both sides.
TREADLE_INLINE SkylineSearch::Choice SkylineSearch::choose(Range range) {
  Choice best;
  for (std::uint32_t s = range.begin, end = s; s < range.end; s = end) {
    const std::uint64_t floor = skyline_.floor(s);
    for (end = s + 1; end < range.end && skyline_.floor(end) == floor;) ++end;
    if (s > range.begin && skyline_.floor(s - 1) < floor) continue;
    if (end < range.end && skyline_.floor(end) < floor) continue;
    for (std::uint32_t t = s; t < end; ++t) {
      const Choice choice = judge(t);
      if (choice.first != best.first ? choice.first < best.first : choice.second < best.second)
        best = choice;
    }
  }
  return best;
}

/// The pieces that can stand on the section's floor; of equal ones just one.
TREADLE_INLINE std::vector<std::uint32_t> SkylineSearch::candidates(std::uint32_t section) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : skyline_.left(section))
    if (skyline_.lowest(i) == skyline_.floor(section)) found.push_back(i);
  sort_places(found, [&](std::uint32_t a, std::uint32_t b) { return ranks_[a] < ranks_[b]; });
  const auto key = [&](std::uint32_t i) {
    const auto& piece = skyline_.piece(i);
    return std::array<std::uint64_t, 3>{piece.begin, piece.end, piece.size};
  };
  for (std::size_t k = 1; k < found.size();) {
    const auto known = found.begin() + static_cast<std::ptrdiff_t>(k);
    const bool equal =
        std::any_of(found.begin(), known, [&](std::uint32_t j) { return key(j) == key(*known); });
    if (equal)
      found.erase(known);
    else
      ++k;
  }
  return found;
}

TREADLE_INLINE SearchOutcome SkylineSearch::solve(Range range) {
  const auto found = parts(range);
  if (found.size() == 1) return branch(found.front());
  const std::size_t mark = skyline_.mark();
  for (const Range part : found)
    if (const auto outcome = branch(part); outcome != SearchOutcome::found) {
      skyline_.undo(mark);
      return outcome;
    }
  return SearchOutcome::found;
}

/// Goes on after a decision, and takes it back if nothing comes of it.
TREADLE_INLINE SearchOutcome SkylineSearch::descend(bool possible, std::size_t mark, Range range) {
  const auto outcome = possible ? solve(range) : SearchOutcome::impossible;
  if (outcome != SearchOutcome::found) skyline_.undo(mark);
  return outcome;
}

TREADLE_INLINE SearchOutcome SkylineSearch::branch(Range range) {
  if (work() > limit_ || depth_ >= max_depth) return SearchOutcome::gave_up;
  ++depth_;
  const std::uint32_t section = choose(range).section;
  const std::size_t mark = skyline_.mark();
  auto outcome = SearchOutcome::impossible;
  for (const std::uint32_t i : candidates(section)) {
    outcome = descend(skyline_.place(i), mark, range);
    if (outcome != SearchOutcome::impossible) break;
  }
  if (outcome == SearchOutcome::impossible) outcome = descend(skyline_.raise(section), mark, range);
  --depth_;
  return outcome;
}

}  // namespace treadle::inline v0::detail
