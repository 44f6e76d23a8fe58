// A partly filled arena, seen from below: what is placed, how high each step is, what must follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <treadle/config.hpp>

namespace treadle::inline v0::detail {

/// A request in an arena of known capacity. It covers the sections [begin, end): stretches of time
/// in which no request begins or ends.
struct SkylinePiece {
  std::uint64_t size = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Fills an arena from below, and takes back. Every change goes to a trail, so that a search can
/// return to any earlier state.
///
/// Looks for packings in which every piece rests on the ground or on a piece that it meets, and
/// none could move into a free hole below itself: pushing pieces down as far as they go makes such
/// a packing of any other, so nothing is missed. After each change it derives what must hold:
/// - the lowest place of a piece is the highest floor of its sections;
/// - a section's floor rises to the lowest place of the pieces that still cover it;
/// - in each section the pieces left, each not before its lowest place, must fit below the capacity
///   (one machine with release dates: Jackson's rule gives the exact bound);
/// - a hole that a piece was kept from, and that nothing can enter any more, is a contradiction.
class Skyline {
 public:
  /// `capacity` is at least the size of each piece.
  Skyline(std::span<const SkylinePiece> pieces, std::uint32_t sections, std::uint64_t capacity);

  [[nodiscard]] const SkylinePiece& piece(std::uint32_t i) const noexcept { return pieces_[i]; }
  [[nodiscard]] std::uint32_t sections() const noexcept {
    return static_cast<std::uint32_t>(floors_.size());
  }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::uint64_t floor(std::uint32_t section) const noexcept {
    return floors_[section];
  }
  /// Where the piece is, or the lowest place that it may still get.
  [[nodiscard]] std::uint64_t lowest(std::uint32_t i) const noexcept { return lowest_[i]; }
  /// The pieces left that cover the section, in no particular order. Valid until the next change.
  [[nodiscard]] std::span<const std::uint32_t> left(std::uint32_t section) const noexcept {
    return {members_[section].data(), counts_[section]};
  }

  /// Puts a piece at its lowest place. False if nothing can come of it; the caller then undoes.
  [[nodiscard]] bool place(std::uint32_t i);
  /// Decides that no piece begins at the section's floor. False if nothing can come of it.
  [[nodiscard]] bool raise(std::uint32_t section);

  [[nodiscard]] std::size_t mark() const noexcept { return trail_.size(); }
  void undo(std::size_t mark);

  /// Work done so far, in visits of a piece in a section: a clock that every machine agrees on.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

 private:
  enum class Change : std::uint8_t { floor, lowest, place, hole, filled };
  struct Entry {
    Change change;
    std::uint32_t index;
    std::uint64_t old;
  };
  /// Room that a piece did not get. Open as long as nothing has been put into it.
  struct Hole {
    std::uint32_t piece;
    std::uint64_t floor;
    bool open;
  };

  void set_floor(std::uint32_t section, std::uint64_t floor);
  void touch(std::uint32_t section);
  void raise_to_lowest(std::uint32_t section);
  bool propagate();
  bool lift_pieces(std::uint32_t section);
  bool fits(std::uint32_t section);
  [[nodiscard]] bool is_closed(const Hole& hole) const;
  void fill_holes(std::uint32_t i);
  void open_hole(std::uint32_t i, std::uint64_t floor);

  std::span<const SkylinePiece> pieces_;
  std::uint64_t capacity_;
  std::vector<std::uint64_t> floors_;
  std::vector<std::uint64_t> lowest_;
  std::vector<bool> placed_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< pieces left first, then those placed
  std::vector<std::uint32_t> counts_;                ///< how many are left
  std::vector<Hole> holes_;
  std::vector<Entry> trail_;
  std::vector<std::uint32_t> raised_;   ///< sections whose pieces may have to rise
  std::vector<std::uint32_t> touched_;  ///< sections with risen pieces
  std::vector<std::uint32_t> stamps_;   ///< of the round that touched each section last
  std::uint32_t round_ = 1;
  std::uint64_t work_ = 0;
};

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/plan/skyline-inl.hpp>
#endif
