// Definitions of plan/skyline.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <treadle/plan/skyline.hpp>

namespace treadle::inline v0::detail {

TREADLE_INLINE Skyline::Skyline(std::span<const SkylinePiece> pieces, std::uint32_t sections,
                                std::uint64_t capacity)
    : pieces_(pieces),
      capacity_(capacity),
      floors_(sections, 0),
      lowest_(pieces.size(), 0),
      placed_(pieces.size(), false),
      members_(sections),
      counts_(sections, 0),
      stamps_(sections, 0) {
  for (std::uint32_t i = 0; i < pieces.size(); ++i)
    for (std::uint32_t s = pieces[i].begin; s < pieces[i].end; ++s) {
      members_[s].push_back(i);
      ++counts_[s];
    }
}

TREADLE_INLINE void Skyline::set_floor(std::uint32_t section, std::uint64_t floor) {
  trail_.push_back({Change::floor, section, floors_[section]});
  floors_[section] = floor;
  raised_.push_back(section);
}

TREADLE_INLINE void Skyline::touch(std::uint32_t section) {
  if (stamps_[section] == round_) return;
  stamps_[section] = round_;
  touched_.push_back(section);
}

TREADLE_INLINE void Skyline::raise_to_lowest(std::uint32_t section) {
  const auto pieces = left(section);
  if (pieces.empty()) return;
  work_ += pieces.size();
  std::uint64_t lowest = UINT64_MAX;
  for (const std::uint32_t i : pieces) lowest = std::min(lowest, lowest_[i]);
  if (lowest > floors_[section]) set_floor(section, lowest);
}

/// Pieces can't be below the floors of their sections.
TREADLE_INLINE bool Skyline::lift_pieces(std::uint32_t section) {
  const std::uint64_t floor = floors_[section];
  work_ += counts_[section];
  for (const std::uint32_t i : left(section)) {
    if (lowest_[i] >= floor) continue;
    if (floor > capacity_ - pieces_[i].size) return false;
    trail_.push_back({Change::lowest, i, lowest_[i]});
    lowest_[i] = floor;
    for (std::uint32_t s = pieces_[i].begin; s < pieces_[i].end; ++s) touch(s);
  }
  return true;
}

/// Jackson's rule: taken in the order of their lowest places, do the pieces left end in time?
TREADLE_INLINE bool Skyline::fits(std::uint32_t section) {
  auto& pieces = members_[section];
  const auto end = pieces.begin() + static_cast<std::ptrdiff_t>(counts_[section]);
  work_ += 4 * counts_[section];
  std::sort(pieces.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
    return lowest_[a] != lowest_[b] ? lowest_[a] < lowest_[b] : a < b;
  });
  std::uint64_t top = 0;
  for (auto at = pieces.begin(); at != end; ++at)
    top = std::max(top, lowest_[*at]) + pieces_[*at].size;
  return top <= capacity_;
}

/// Nothing can get into the hole any more, so its piece should have.
TREADLE_INLINE bool Skyline::is_closed(const Hole& hole) const {
  if (!hole.open) return false;
  const auto& piece = pieces_[hole.piece];
  for (std::uint32_t s = piece.begin; s < piece.end; ++s)
    if (counts_[s] > 0 && floors_[s] < hole.floor + piece.size) return false;
  return true;
}

TREADLE_INLINE bool Skyline::propagate() {
  bool possible = true;
  std::size_t looked = 0;
  while (possible && !raised_.empty()) {
    while (possible && !raised_.empty()) {
      const std::uint32_t section = raised_.back();
      raised_.pop_back();
      possible = lift_pieces(section);
    }
    for (std::size_t k = 0; possible && k < touched_.size(); ++k) raise_to_lowest(touched_[k]);
  }
  for (; possible && looked < touched_.size(); ++looked) possible = fits(touched_[looked]);
  work_ += holes_.size();
  for (std::size_t k = 0; possible && k < holes_.size(); ++k) possible = !is_closed(holes_[k]);
  raised_.clear();
  touched_.clear();
  ++round_;
  return possible;
}

TREADLE_INLINE void Skyline::fill_holes(std::uint32_t i) {
  for (std::uint32_t k = 0; k < holes_.size(); ++k) {
    const auto& hole = holes_[k];
    const auto& kept_out = pieces_[hole.piece];
    if (!hole.open || hole.piece == i || kept_out.begin >= pieces_[i].end ||
        pieces_[i].begin >= kept_out.end || lowest_[i] >= hole.floor + kept_out.size)
      continue;
    holes_[k].open = false;
    trail_.push_back({Change::filled, k, 0});
  }
}

TREADLE_INLINE void Skyline::open_hole(std::uint32_t i, std::uint64_t floor) {
  holes_.push_back({i, floor, true});
  trail_.push_back({Change::hole, i, 0});
}

TREADLE_INLINE bool Skyline::place(std::uint32_t i) {
  const auto& piece = pieces_[i];
  placed_[i] = true;
  trail_.push_back({Change::place, i, 0});
  for (std::uint32_t s = piece.begin; s < piece.end; ++s) {
    auto& pieces = members_[s];
    const auto at = std::find(pieces.begin(), pieces.end(), i);
    std::swap(*at, pieces[--counts_[s]]);
  }
  fill_holes(i);
  for (std::uint32_t s = piece.begin; s < piece.end; ++s) {
    set_floor(s, lowest_[i] + piece.size);
    raise_to_lowest(s);
  }
  return propagate();
}

TREADLE_INLINE bool Skyline::raise(std::uint32_t section) {
  const std::uint64_t floor = floors_[section];
  std::uint32_t begin = section, end = section;
  std::uint64_t next = UINT64_MAX;
  for (const std::uint32_t i : left(section)) {
    if (lowest_[i] > floor) {
      next = std::min(next, lowest_[i]);
      continue;
    }
    open_hole(i, floor);
    begin = std::min(begin, pieces_[i].begin);
    end = std::max(end, pieces_[i].end);
  }
  // What could stand at the floor must rest on something that does not cover this section.
  work_ += pieces_.size();
  for (std::uint32_t j = 0; j < pieces_.size(); ++j) {
    const auto& piece = pieces_[j];
    if (placed_[j] || piece.end <= begin || piece.begin >= end) continue;
    if (piece.begin <= section && section < piece.end) continue;
    next = std::min(next, std::max(floor, lowest_[j]) + piece.size);
  }
  if (next >= capacity_) return false;
  set_floor(section, next);
  return propagate();
}

TREADLE_INLINE void Skyline::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Entry entry = trail_.back();
    trail_.pop_back();
    switch (entry.change) {
      case Change::floor: floors_[entry.index] = entry.old; break;
      case Change::lowest: lowest_[entry.index] = entry.old; break;
      case Change::place:
        placed_[entry.index] = false;
        for (std::uint32_t s = pieces_[entry.index].begin; s < pieces_[entry.index].end; ++s)
          ++counts_[s];
        break;
      case Change::hole: holes_.pop_back(); break;
      case Change::filled: holes_[entry.index].open = true; break;
    }
  }
}

}  // namespace treadle::inline v0::detail
