// Every macro of the library, with its version.
#pragma once

/// Version as major * 10000 + minor * 100 + patch.
#define TREADLE_VERSION 100

/// 1 in translation units that use or build the compiled flavour (`treadle::compiled`), where the
/// heavy definitions live in a library; 0 in the header-only flavour.
#ifndef TREADLE_COMPILED
#define TREADLE_COMPILED 0
#endif

/// Linkage of a definition that the compiled flavour builds once.
#if TREADLE_COMPILED
#define TREADLE_INLINE
#else
#define TREADLE_INLINE inline
#endif

/// Checks a precondition, that is, a mistake of the calling programmer. Define it before the first
/// include to route broken preconditions elsewhere; by default release builds ignore it.
#ifndef TREADLE_ASSERT
#if defined(NDEBUG) || !(defined(__GNUC__) || defined(__clang__))
#define TREADLE_ASSERT(condition, text) static_cast<void>(0)
#else
#define TREADLE_ASSERT(condition, text) ((condition) ? static_cast<void>(0) : __builtin_trap())
#endif
#endif

#define TREADLE_NAME_(prefix, line) prefix##line
#define TREADLE_NAME(prefix, line) TREADLE_NAME_(prefix, line)

/// `TREADLE_TRY(auto x, f())`: declares `x` from the value of a `Result`, or returns its error.
#define TREADLE_TRY(declaration, expression)                           \
  auto TREADLE_NAME(treadle_result_, __LINE__) = (expression);         \
  if (!TREADLE_NAME(treadle_result_, __LINE__))                        \
    return std::move(TREADLE_NAME(treadle_result_, __LINE__)).error(); \
  declaration = std::move(*TREADLE_NAME(treadle_result_, __LINE__))

/// `TREADLE_CHECK(f())`: returns the error of a `Status` or `Result`, or goes on.
#define TREADLE_CHECK(expression) \
  if (auto treadle_status = (expression); !treadle_status) return std::move(treadle_status).error()
