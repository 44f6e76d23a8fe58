// Definitions of mapped_file.hpp.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <treadle/archive/failure.hpp>
#include <treadle/archive/mapped_file.hpp>

namespace treadle::inline v0 {
namespace detail {

[[nodiscard]] inline Status check_file_size(const std::string& path, std::uint64_t size,
                                            const LoadLimits& limits) {
  if (size <= limits.max_file_bytes && size <= SIZE_MAX) return {};
  return limit_exceeded("file ", in_quotes(path), " has ", size, " bytes, max_file_bytes is ",
                        limits.max_file_bytes);
}

}  // namespace detail

#if __has_include(<sys/mman.h>)

namespace detail {

/// A file descriptor that closes itself.
struct FileDescriptor {
  int number;
  explicit FileDescriptor(int opened) noexcept : number(opened) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace detail

TREADLE_INLINE Result<MappedFile> MappedFile::open(const std::string& path,
                                                   const LoadLimits& limits) {
  const detail::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    return detail::io_error("cannot open ", detail::in_quotes(path), ": ", std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return detail::io_error("cannot read ", detail::in_quotes(path), ": it is not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  TREADLE_CHECK(detail::check_file_size(path, size, limits));
  if (size == 0) return MappedFile(nullptr, 0);
  const auto length = static_cast<std::size_t>(size);
  void* data = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (data == MAP_FAILED)
    return detail::io_error("cannot map ", detail::in_quotes(path), ": ", std::strerror(errno));
  return MappedFile(static_cast<const std::byte*>(data), length);
}

TREADLE_INLINE MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

#else

TREADLE_INLINE Result<MappedFile> MappedFile::open(const std::string& path,
                                                   const LoadLimits& limits) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file || std::fseek(file.get(), 0, SEEK_END) != 0)
    return detail::io_error("cannot open ", detail::in_quotes(path));
  const long end = std::ftell(file.get());
  if (end < 0 || std::fseek(file.get(), 0, SEEK_SET) != 0)
    return detail::io_error("cannot find the size of ", detail::in_quotes(path));
  TREADLE_CHECK(detail::check_file_size(path, static_cast<std::uint64_t>(end), limits));
  const auto size = static_cast<std::size_t>(end);
  auto* data = static_cast<std::byte*>(
      ::operator new(size + 1, std::align_val_t{byte_alignment}, std::nothrow));
  if (data == nullptr)
    return Error(ErrorCode::out_of_memory, concat("no memory for ", size, " bytes of a file"));
  MappedFile result(data, size);
  if (std::fread(data, 1, size, file.get()) != size)
    return detail::io_error("cannot read all of ", detail::in_quotes(path));
  return result;
}

TREADLE_INLINE MappedFile::~MappedFile() {
  ::operator delete(const_cast<std::byte*>(data_), std::align_val_t{byte_alignment});
}

#endif

TREADLE_INLINE Result<Bytes> map_file(const std::string& path, const LoadLimits& limits) {
  TREADLE_TRY(auto file, MappedFile::open(path, limits));
  auto owner = std::make_shared<const MappedFile>(std::move(file));
  const auto view = owner->bytes();
  return Bytes(std::move(owner), view);
}

}  // namespace treadle::inline v0
