// Looks for a packing of pieces in an arena of given capacity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/plan/skyline.hpp>

namespace treadle::inline v0::detail {

/// How a search came out.
enum class SearchOutcome : std::uint8_t {
  found,
  impossible,  ///< proved: there is no packing
  gave_up,     ///< the budget is used up
};

/// Which of the pieces that can stand in a place is tried first: the first key decides, then the
/// second, then the third; larger first.
enum class PieceKey : std::uint8_t { width, area, crowding, size };
using PieceKeys = PieceKey[3];

/// Which section is decided next, of those in a valley of the skyline.
enum class SectionRule : std::uint8_t {
  fewest_choices,  ///< then the one with least room to spare
  least_room,      ///< then the one with fewest choices
  lowest,          ///< then the one with fewest choices
};

/// Depth-first search over `Skyline`. It takes a section in a valley of the skyline (where the
/// floor is lower than on both sides) and branches over what stands on its floor: one of the pieces
/// that cover the section and fit into the valley, or nothing. Where no piece left spans two parts
/// of time, the parts are searched apart.
///
/// Related work: MiniMalloc (Moffitt, ASPLOS 2023) searches packings in the order of their offsets,
/// with bounds by section, dominance and decomposition; TelaMalloc (Maas et al., ASPLOS 2023) is
/// guided by heuristics. The branching by section and the bounds by release dates are this one's.
class SkylineSearch {
 public:
  SkylineSearch(std::span<const SkylinePiece> pieces, std::uint32_t sections,
                std::uint64_t capacity, const PieceKeys& keys, SectionRule rule);

  /// Searches until `work` (see `Skyline::work`) is used up.
  [[nodiscard]] SearchOutcome run(std::uint64_t work);
  /// Where the piece is, after a packing was found.
  [[nodiscard]] std::uint64_t offset(std::uint32_t piece) const noexcept {
    return skyline_.lowest(piece);
  }
  [[nodiscard]] std::uint64_t work() const noexcept { return skyline_.work() + own_work_; }

 private:
  /// Sections that are searched on their own.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct Choice {
    std::uint32_t section = 0;
    std::uint64_t first = UINT64_MAX;  ///< what the rule looks at first, less is better
    std::uint64_t second = UINT64_MAX;
  };

  /// Deeper than this the search gives up, for the sake of the stack.
  static constexpr std::size_t max_depth = 4000;

  [[nodiscard]] std::vector<Range> parts(Range range) const;
  [[nodiscard]] Choice choose(Range range);
  [[nodiscard]] Choice judge(std::uint32_t section);
  [[nodiscard]] std::vector<std::uint32_t> candidates(std::uint32_t section) const;
  SearchOutcome solve(Range range);
  SearchOutcome branch(Range range);
  SearchOutcome descend(bool possible, std::size_t mark, Range range);

  Skyline skyline_;
  SectionRule rule_;
  std::vector<std::uint32_t> ranks_;  ///< by piece: which is tried first
  std::uint64_t own_work_ = 0;
  std::uint64_t limit_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace treadle::inline v0::detail

#if !TREADLE_COMPILED
#include <treadle/plan/skyline_search-inl.hpp>
#endif
