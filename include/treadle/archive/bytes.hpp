// A read-only range of bytes that keeps its owner alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/failure.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// Immutable bytes with a share in whatever holds them: a mapped file, a buffer. Copies and slices
/// are cheap, share the owner, and may be used from many threads.
class Bytes {
 public:
  Bytes() noexcept = default;
  Bytes(std::shared_ptr<const void> owner, std::span<const std::byte> view) noexcept
      : owner_(std::move(owner)), view_(view) {}

  /// Takes a vector as owner.
  [[nodiscard]] static Bytes own(std::vector<std::byte> buffer);
  /// Refers to bytes that the caller keeps alive for as long as any copy or slice exists.
  [[nodiscard]] static Bytes borrow(std::span<const std::byte> view) noexcept {
    return {nullptr, view};
  }

  [[nodiscard]] std::span<const std::byte> span() const noexcept { return view_; }
  [[nodiscard]] const std::byte* data() const noexcept { return view_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

  /// The same bytes as text; valid while this or another share of the owner exists.
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(view_.data()), view_.size()};
  }

  /// `count` bytes from `offset` on. The range must lie inside.
  [[nodiscard]] Bytes slice(std::size_t offset, std::size_t count) const noexcept {
    TREADLE_ASSERT(offset <= size() && count <= size() - offset, "slice inside the bytes");
    return {owner_, view_.subspan(offset, count)};
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> view_;
};

/// Where buffers of tensor data begin: a multiple of this many bytes.
inline constexpr std::size_t byte_alignment = 64;

namespace detail {

/// A writable buffer at a multiple of `byte_alignment`, not initialised; `out_of_memory` if it
/// cannot be had.
[[nodiscard]] Result<std::shared_ptr<std::byte>> allocate_bytes(std::size_t count);

}  // namespace detail

/// The same bytes at an address that is a multiple of `byte_alignment`: themselves, or a copy.
[[nodiscard]] Result<Bytes> aligned(Bytes bytes);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/bytes-inl.hpp>
#endif
