// What a pool asks of the operating system for its threads: a name, a place.
#pragma once

#include <cstddef>
#include <string>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace treadle::inline v0::detail {

/// Linux keeps 15 characters: the number stays, the name is shortened. Elsewhere does nothing.
inline void name_this_thread([[maybe_unused]] const std::string& name,
                             [[maybe_unused]] std::size_t number) noexcept {
#if defined(__linux__)
  constexpr std::size_t longest = 15;
  const std::string suffix = "-" + std::to_string(number);
  const std::string whole = name.substr(0, longest - suffix.size()) + suffix;
  pthread_setname_np(pthread_self(), whole.c_str());
#endif
}

/// Binds the calling thread to one processor, if the system lets it. Elsewhere does nothing.
inline void pin_this_thread([[maybe_unused]] std::size_t cpu) noexcept {
#if defined(__linux__)
  if (cpu >= CPU_SETSIZE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
#endif
}

}  // namespace treadle::inline v0::detail
