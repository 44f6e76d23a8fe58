// Definitions of weight_update.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/exec/weight_update.hpp>

namespace treadle::inline v0 {

namespace detail {

/// Builds the sources of a new set; see `merge_sources`.
class WeightMerge {
 public:
  WeightMerge(std::vector<WeightSource> old, std::vector<WeightSource> given,
              const WeightSwapOptions& options)
      : old_(std::move(old)), options_(options) {
    std::map<std::string_view, std::size_t> known;
    for (std::size_t i = 0; i < old_.size(); ++i) known.emplace(old_[i].name, i);
    std::vector<bool> replaced(old_.size(), false);
    for (auto& source : given) {
      if (options_.skip && options_.skip(source.name)) continue;
      const auto found = known.find(source.name);
      if (found == known.end()) {
        if (!options_.allow_unknown)
          complain(source.name, "the program has no weight of this name");
        continue;
      }
      if (replaced[found->second]) complain(source.name, "given twice");
      replaced[found->second] = true;
      check(old_[found->second].meta, source);
      given_.emplace(found->second, std::move(source));
    }
    for (std::size_t i = 0; i < old_.size(); ++i)
      if (!replaced[i] && !(options_.keep && options_.keep(old_[i].name)))
        complain(old_[i].name, "missing");
  }

  Result<std::vector<WeightSource>> build() {
    if (!problems_.empty())
      return Error(ErrorCode::invalid_argument, concat("the weights do not fit:", problems_));
    std::map<std::size_t, std::vector<std::size_t>> sharers;
    for (std::size_t i = 0; i < old_.size(); ++i) sharers[old_[i].storage].push_back(i);
    for (const auto& [storage, members] : sharers) {
      const bool touched = std::any_of(members.begin(), members.end(),
                                       [&](std::size_t i) { return given_.contains(i); });
      if (!touched) continue;
      if (members.size() == 1 &&
          given_.at(members[0]).meta.strides == old_[members[0]].meta.strides)
        adopt(members[0]);
      else
        rewrite(members);
    }
    return std::move(old_);
  }

 private:
  void complain(std::string_view name, std::string_view what) {
    problems_ += concat("\n  '", name, "': ", what);
  }

  void check(const TensorMeta& expected, const WeightSource& source) {
    if (source.meta.dtype != expected.dtype || !(source.meta.sizes == expected.sizes))
      return complain(source.name,
                      concat("expected ", to_string(expected), ", found ", to_string(source.meta)));
    const auto needed = storage_bytes(source.meta);
    if (!needed || *needed > source.bytes.size())
      complain(source.name, concat(to_string(source.meta), " does not fit in its ",
                                   source.bytes.size(), " bytes"));
  }

  /// Takes the bytes as they are. Plans rely on the offset, so the span starts where it must.
  void adopt(std::size_t i) {
    WeightSource& from = given_.at(i);
    WeightSource& to = old_[i];
    if (from.meta.storage_offset != to.meta.storage_offset || from.bytes.size() != to.bytes.size())
      return rewrite({i});
    to.bytes = from.bytes;
    to.owner = std::move(from.owner);
  }

  /// Copies the shared storage and writes the new elements where the old ones lay.
  void rewrite(const std::vector<std::size_t>& members) {
    const auto old_bytes = old_[members[0]].bytes;
    // Whole cache lines: backends that map bytes want elements aligned.
    auto storage = std::make_shared<std::vector<std::byte>>(old_bytes.size() + 64);
    void* start = storage->data();
    std::size_t room = storage->size();
    auto* bytes = static_cast<std::byte*>(std::align(64, old_bytes.size(), start, room));
    if (!old_bytes.empty()) std::memcpy(bytes, old_bytes.data(), old_bytes.size());
    for (const std::size_t i : members) {
      const auto found = given_.find(i);
      if (found == given_.end()) continue;
      const WeightSource& from = found->second;
      const auto at = [](const TensorMeta& meta) {
        return meta.storage_offset * static_cast<std::int64_t>(size_of(meta.dtype));
      };
      copy_elements(from.bytes.data() + at(from.meta), from.meta, bytes + at(old_[i].meta),
                    old_[i].meta);
    }
    for (const std::size_t i : members) {
      old_[i].bytes = {bytes, old_bytes.size()};
      old_[i].owner = storage;
    }
  }

  std::vector<WeightSource> old_;
  std::map<std::size_t, WeightSource> given_;
  const WeightSwapOptions& options_;
  std::string problems_;
};

TREADLE_INLINE Result<std::vector<WeightSource>> merge_sources(std::vector<WeightSource> old,
                                                               std::vector<WeightSource> given,
                                                               const WeightSwapOptions& options) {
  return WeightMerge(std::move(old), std::move(given), options).build();
}

}  // namespace detail

}  // namespace treadle::inline v0
