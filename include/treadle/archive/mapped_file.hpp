// A whole file as read-only memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// A file mapped into memory where the system can, read into a buffer elsewhere. The file must not
/// be truncated while it is mapped: the system would then stop the process on access.
class MappedFile {
 public:
  /// Errors: `io` if the file cannot be opened or is not a regular file, `limit_exceeded`.
  [[nodiscard]] static Result<MappedFile> open(const std::string& path,
                                               const LoadLimits& limits = {});

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The bytes of a file; the mapping lives as long as they do.
[[nodiscard]] Result<Bytes> map_file(const std::string& path, const LoadLimits& limits = {});

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/mapped_file-inl.hpp>
#endif
