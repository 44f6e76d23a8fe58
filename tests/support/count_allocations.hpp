// Counts how often a program asks for memory. Include it in one source of the program: it replaces
// the operators that ask.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "support/sanitizers.hpp"

// Sanitizers bring an allocator of their own, which can't be replaced.
#if !defined(TREADLE_TEST_TSAN) && !defined(TREADLE_TEST_ASAN)

namespace test {

inline std::atomic<std::int64_t> allocations{0};

}  // namespace test

// Not inlined, or g++ takes `free` for a mistake.
[[gnu::noinline]] static void* counted(std::size_t size, std::size_t alignment) {
  test::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment))
    return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] static void release(void* p) noexcept { std::free(p); }

void* operator new(std::size_t size) { return counted(size, 16); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

#endif
