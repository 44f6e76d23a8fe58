// What went wrong, as a value.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/config.hpp>

namespace treadle::inline v0 {

/// What kind of thing went wrong. Decades group codes: 1x files, 2x programs, 3x kernels, 4x calls,
/// 5x the machine.
enum class ErrorCode : int {
  io = 10,                 ///< a file could not be opened, read or written
  corrupt_file = 11,       ///< bytes contradict the format
  unsupported_file = 12,   ///< a well-formed file of a kind or version that is not read
  limit_exceeded = 13,     ///< a `LoadLimits` bound was hit
  invalid_graph = 20,      ///< a program contradicts itself
  unknown_operator = 21,   ///< no schema or shape rule is known for an operator
  type_mismatch = 22,      ///< a dtype, shape or argument type contradicts a rule
  missing_kernel = 30,     ///< the registry has no kernel for an operator
  kernel_failed = 31,      ///< a kernel reported a failure
  invalid_argument = 40,   ///< a caller's input does not fit the program
  busy = 41,               ///< no frame or state is free and the caller asked not to wait
  cancelled = 42,          ///< a run was stopped by its caller
  not_found = 43,          ///< a name that the caller gave does not exist
  deadline_exceeded = 44,  ///< a run was not done at its deadline
  out_of_memory = 50,      ///< memory could not be had
};

/// The snake_case name of a code, e.g. `corrupt_file`.
[[nodiscard]] constexpr std::string_view name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::io: return "io";
    case ErrorCode::corrupt_file: return "corrupt_file";
    case ErrorCode::unsupported_file: return "unsupported_file";
    case ErrorCode::limit_exceeded: return "limit_exceeded";
    case ErrorCode::invalid_graph: return "invalid_graph";
    case ErrorCode::unknown_operator: return "unknown_operator";
    case ErrorCode::type_mismatch: return "type_mismatch";
    case ErrorCode::missing_kernel: return "missing_kernel";
    case ErrorCode::kernel_failed: return "kernel_failed";
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::busy: return "busy";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::deadline_exceeded: return "deadline_exceeded";
    case ErrorCode::out_of_memory: return "out_of_memory";
  }
  return "unknown";
}

/// An error: a code with a sentence that names what, where, expected and found. One pointer wide;
/// move-only. A default-made or moved-from error is empty: it has no code and no message.
class [[nodiscard]] Error {
 public:
  Error() noexcept = default;
  Error(ErrorCode code, std::string message);

  [[nodiscard]] bool empty() const noexcept { return data_ == nullptr; }
  [[nodiscard]] ErrorCode code() const noexcept { return data_->code; }
  [[nodiscard]] const std::string& message() const noexcept { return data_->message; }

  /// The same error with `where` in front of its message: `where: message`.
  [[nodiscard]] Error with_context(std::string_view where) &&;

  [[nodiscard]] Error clone() const;

 private:
  struct Data {
    ErrorCode code;
    std::string message;
  };
  std::unique_ptr<Data> data_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/core/error-inl.hpp>
#endif
