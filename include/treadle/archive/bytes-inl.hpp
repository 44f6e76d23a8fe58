// Definitions of bytes.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <treadle/archive/bytes.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE Bytes Bytes::own(std::vector<std::byte> buffer) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(buffer));
  const std::span<const std::byte> view(*owner);
  return {std::move(owner), view};
}

namespace detail {

TREADLE_INLINE Result<std::shared_ptr<std::byte>> allocate_bytes(std::size_t count) {
  constexpr std::align_val_t alignment{byte_alignment};
  auto* data = static_cast<std::byte*>(
      ::operator new(count == 0 ? std::size_t{1} : count, alignment, std::nothrow));
  if (data == nullptr)
    return Error(ErrorCode::out_of_memory, concat("no memory for a buffer of ", count, " bytes"));
  return std::shared_ptr<std::byte>(
      data, [](std::byte* p) { ::operator delete(p, std::align_val_t{byte_alignment}); });
}

}  // namespace detail

TREADLE_INLINE Result<Bytes> aligned(Bytes bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % byte_alignment == 0) return bytes;
  TREADLE_TRY(auto buffer, detail::allocate_bytes(bytes.size()));
  if (!bytes.empty()) std::memcpy(buffer.get(), bytes.data(), bytes.size());
  const std::span<const std::byte> view(buffer.get(), bytes.size());
  return Bytes(std::move(buffer), view);
}

}  // namespace treadle::inline v0
