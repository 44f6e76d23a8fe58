// Which sanitizer the tests are built with.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TREADLE_TEST_TSAN 1
#endif
#if __has_feature(address_sanitizer)
#define TREADLE_TEST_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) && !defined(TREADLE_TEST_TSAN)
#define TREADLE_TEST_TSAN 1
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(TREADLE_TEST_ASAN)
#define TREADLE_TEST_ASAN 1
#endif

namespace test {

#if defined(TREADLE_TEST_TSAN)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

}  // namespace test
