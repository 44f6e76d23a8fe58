// From some new weights to a whole new set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/exec/weights.hpp>

namespace treadle::inline v0 {

/// What a swap does with names that are not on both sides.
struct WeightSwapOptions {
  /// Names for which this is true may be missing and keep their old values. Empty: all must be
  /// there.
  std::function<bool(std::string_view)> keep = {};
  /// Given names for which this is true are passed over, whatever they are. Empty: none.
  std::function<bool(std::string_view)> skip = {};
  /// Names that the program does not have are passed over instead of refused.
  bool allow_unknown = false;
};

/// A host copy of a tensor's elements as a weight of this name.
template <TensorBackend Backend>
[[nodiscard]] Result<WeightSource> weight_source(Backend& backend, std::string name,
                                                 const typename Backend::Tensor& tensor) {
  WeightSource source;
  source.name = std::move(name);
  const TensorMeta& meta = backend.meta(tensor);
  source.meta = make_meta(meta.dtype, meta.sizes, meta.device);
  auto bytes = std::make_shared<std::vector<std::byte>>(
      static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype));
  TREADLE_CHECK(backend.copy_to_host(tensor, *bytes));
  source.bytes = *bytes;
  source.owner = std::move(bytes);
  return source;
}

namespace detail {

/// Builds the sources of a new set; see `merge_weights`.
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

}  // namespace detail

/// The program's weights with `given` in place of those of the same names. Strides and sharing stay
/// as they were: weights that share storage with a given one show its new values. All problems are
/// reported in one error.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<WeightSource>> merge_weights(const Weights<Backend>& current,
                                                              std::vector<WeightSource> given,
                                                              const WeightSwapOptions& options) {
  std::vector<WeightSource> old;
  for (const auto& entry : current.entries())
    if (!entry.folded) old.push_back(entry.source);
  return detail::WeightMerge(std::move(old), std::move(given), options).build();
}

}  // namespace treadle::inline v0
