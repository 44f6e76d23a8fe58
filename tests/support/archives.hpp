// Program files made from others, in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/mapped_file.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/archive/zip_writer.hpp>
#include <treadle/exported/read.hpp>

namespace test {

/// Every `from` in `text` made `to`.
inline std::string with_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

/// A copy of a file whose JSON records went through `edit(text) -> text`, with more records beside.
template <class Edit>
std::vector<std::byte> edited_archive(
    const std::string& path, Edit edit,
    const std::vector<std::pair<std::string, std::string>>& more = {}) {
  auto zip = treadle::ZipReader::open(path);
  REQUIRE(zip);
  auto writer = treadle::ZipWriter::to_memory();
  for (const auto& entry : zip->entries()) {
    const auto bytes = zip->read(entry);
    REQUIRE(bytes);
    std::string text(bytes->text());
    if (entry.name.ends_with(".json")) text = edit(std::move(text));
    REQUIRE(writer.add(entry.name, std::string_view(text)));
  }
  for (const auto& [name, text] : more)
    REQUIRE(writer.add(treadle::concat(zip->root(), name), std::string_view(text)));
  REQUIRE(writer.finish());
  return std::move(writer).take();
}

/// The same file with everything on `cuda:0` instead of the CPU.
inline std::vector<std::byte> on_cuda(const std::string& path) {
  return edited_archive(path, [](std::string text) {
    return with_all(std::move(text), R"({"type": "cpu", "index": null})",
                    R"({"type": "cuda", "index": 0})");
  });
}

inline treadle::ExportedArchive archive_of(std::vector<std::byte> bytes) {
  auto archive = treadle::read_pt2(treadle::Bytes::own(std::move(bytes)));
  if (!archive) FAIL(archive.error().message());
  return *std::move(archive);
}

}  // namespace test
