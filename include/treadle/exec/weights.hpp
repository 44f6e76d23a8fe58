// The immutable tensors of a program: parameters, buffers and constants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// A weight as a file gives it. `bytes` is the whole storage; weights with equal `storage` numbers
/// share it.
struct WeightSource {
  std::string name;
  TensorMeta meta;  ///< strides and offset into the storage
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< keeps `bytes` alive
  std::size_t storage = 0;
};

/// One generation of weights. Read-only once it is shared, so any thread may use it.
template <TensorBackend Backend>
class Weights {
 public:
  using Tensor = typename Backend::Tensor;

  struct Entry {
    WeightSource source;
    Tensor tensor;
    bool folded = false;    ///< computed from others when they were loaded; not in the file
    bool released = false;  ///< only folded weights need it: `tensor` is empty
  };

  /// Mapped in place where the backend's elements are host bytes and they are aligned, else copied;
  /// shared storages stay shared.
  [[nodiscard]] static Result<Weights> make(Backend& backend, std::vector<WeightSource> sources) {
    Weights weights;
    std::map<std::size_t, Tensor> copies;
    for (auto& source : sources) {
      auto tensor = place(backend, source, copies);
      if (!tensor)
        return std::move(tensor).with_context(concat("weight '", source.name, "'")).error();
      weights.index_.emplace(source.name, weights.entries_.size());
      weights.entries_.push_back({std::move(source), *std::move(tensor), false, false});
    }
    return weights;
  }

  /// Adds what was computed from the weights. Its storage is shared with no other.
  Status add_folded(Backend& backend, std::string name, Tensor tensor) {
    WeightSource source;
    source.name = std::move(name);
    source.meta = backend.meta(tensor);
    for (const auto& entry : entries_)
      source.storage = std::max(source.storage, entry.source.storage);
    ++source.storage;
    if constexpr (HostBackend<Backend>) {
      const auto bytes = storage_bytes(source.meta);
      auto kept = std::make_shared<const Tensor>(tensor);
      source.bytes = {
          backend.data(tensor) -
              source.meta.storage_offset * static_cast<std::int64_t>(size_of(source.meta.dtype)),
          bytes.value_or(0)};
      source.owner = std::move(kept);
    }
    if (!index_.emplace(source.name, entries_.size()).second)
      return Error(ErrorCode::invalid_graph,
                   concat("there are two weights named '", source.name, "'"));
    entries_.push_back({std::move(source), std::move(tensor), true, false});
    return {};
  }
  /// Lets go of the backend's tensor of a weight that no plan reads.
  void release(std::string_view name) {
    if (const auto at = find(name); at >= 0) {
      entries_[static_cast<std::size_t>(at)].tensor = {};
      entries_[static_cast<std::size_t>(at)].released = true;
    }
  }

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  /// Position of the weight, or -1.
  [[nodiscard]] std::ptrdiff_t find(std::string_view name) const noexcept {
    const auto found = index_.find(name);
    return found == index_.end() ? -1 : static_cast<std::ptrdiff_t>(found->second);
  }

  /// A tensor over a copy of the source's storage; `copies` holds those made before.
  [[nodiscard]] static Result<Tensor> copy(Backend& backend, const WeightSource& source,
                                           std::map<std::size_t, Tensor>& copies) {
    if constexpr (ViewBackend<Backend>) {
      auto found = copies.find(source.storage);
      if (found == copies.end()) {
        const auto count = static_cast<std::int64_t>(source.bytes.size());
        TREADLE_TRY(auto storage,
                    backend.empty(make_meta(DType::uint8, {count}, source.meta.device)));
        TREADLE_CHECK(backend.copy_from_host(storage, source.bytes));
        found = copies.emplace(source.storage, std::move(storage)).first;
      }
      return backend.view(found->second, source.meta);
    } else {
      const auto packed = make_meta(source.meta.dtype, source.meta.sizes, source.meta.device);
      std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(packed)) *
                                   size_of(packed.dtype));
      const auto offset =
          static_cast<std::size_t>(source.meta.storage_offset) * size_of(packed.dtype);
      copy_elements(source.bytes.data() + offset, source.meta, bytes.data(), packed);
      TREADLE_TRY(auto tensor, backend.empty(packed));
      TREADLE_CHECK(backend.copy_from_host(tensor, bytes));
      return tensor;
    }
  }

 private:
  static Result<Tensor> place(Backend& backend, const WeightSource& source,
                              std::map<std::size_t, Tensor>& copies) {
    const auto needed = storage_bytes(source.meta);
    if (!needed || *needed > source.bytes.size())
      return Error(ErrorCode::corrupt_file, concat(to_string(source.meta), " does not fit in its ",
                                                   source.bytes.size(), " bytes"));
    if constexpr (HostBackend<Backend>) {
      const auto address = reinterpret_cast<std::uintptr_t>(source.bytes.data());
      if (address % std::max<std::size_t>(size_of(source.meta.dtype), 1) == 0)
        return backend.adopt(source.bytes, source.owner, source.meta);
    }
    return copy(backend, source, copies);
  }

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace treadle::inline v0
