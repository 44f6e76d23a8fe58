// Strong indices: a node id can't be used where a value id is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace treadle::inline v0 {

/// An index into the vector that owns things of kind `Tag`. Default-made ids are invalid.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffff'ffffu;
  std::uint32_t index = none;

  constexpr Id() noexcept = default;
  constexpr explicit Id(std::size_t i) noexcept : index(static_cast<std::uint32_t>(i)) {}
  [[nodiscard]] constexpr bool valid() const noexcept { return index != none; }
  friend constexpr auto operator<=>(Id, Id) noexcept = default;
};

using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;

}  // namespace treadle::inline v0

template <class Tag>
struct std::hash<treadle::Id<Tag>> {
  std::size_t operator()(treadle::Id<Tag> id) const noexcept { return id.index; }
};
