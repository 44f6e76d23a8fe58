// Definitions of archive_sources.hpp.
#pragma once

#include <utility>
#include <vector>

#include <treadle/model/archive_sources.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE std::vector<WeightSource> weight_sources(const ExportedArchive& archive) {
  std::vector<WeightSource> sources;
  sources.reserve(archive.weights.size());
  for (const auto& weight : archive.weights) {
    WeightSource source;
    source.name = weight.fqn;
    source.meta = weight.meta;
    source.bytes = weight.storage.span();
    source.owner = weight.storage.owner();
    source.storage = weight.storage_id;
    sources.push_back(std::move(source));
  }
  return sources;
}

TREADLE_INLINE std::vector<ObjectSource> object_sources(const ExportedArchive& archive) {
  std::vector<ObjectSource> sources;
  for (const auto& object : archive.custom_objects)
    sources.push_back({object.fqn, {}, object.bytes.span(), object.bytes.owner()});
  return sources;
}

TREADLE_INLINE std::vector<DelegateFile> delegate_files(const ExportedArchive& archive) {
  std::vector<DelegateFile> files;
  for (const auto& file : archive.delegate_files)
    files.push_back({file.name, file.bytes.span(), file.bytes.owner()});
  return files;
}

}  // namespace treadle::inline v0
