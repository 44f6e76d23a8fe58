// Asks for memory before kernels make tables whose sizes come from programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace treadle::inline v0::cpu {

/// Is there memory for `count` entries of `bytes` each, in one piece? Containers that grow would
/// throw, or take piece by piece what the machine does not have.
[[nodiscard]] inline bool has_memory_for(std::int64_t count, std::size_t bytes) noexcept {
  std::size_t all = 0;
  if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), bytes, &all) ||
      all > static_cast<std::size_t>(PTRDIFF_MAX))
    return false;
  void* const tables = ::operator new(all, std::nothrow);
  ::operator delete(tables);
  return tables != nullptr;
}

}  // namespace treadle::inline v0::cpu
