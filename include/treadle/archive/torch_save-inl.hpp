// Definitions of torch_save.hpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/torch_save.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/core/concat.hpp>

namespace treadle::inline v0 {
namespace detail {

[[nodiscard]] inline Status check_byte_order(const ZipReader& zip, std::string_view root) {
  const ZipEntry* entry = zip.find(concat(root, "byteorder"));
  if (entry == nullptr) return {};
  if (entry->size > 16) return corrupt_file("record 'byteorder' has ", entry->size, " bytes");
  TREADLE_TRY(const Bytes order, zip.read(*entry));
  if (order.text() == "little") return {};
  if (order.text() == "big") return unsupported_file("big-endian archives are not read");
  return corrupt_file("byte order ", in_quotes(order.text()), ", expected 'little'");
}

/// Gives every tensor the bytes of its storage.
[[nodiscard]] inline Status fill_storages(PickleTree& tree, const ZipReader& zip,
                                          std::string_view root, const LoadLimits& limits) {
  const auto check = limits.verify_weights_crc ? CrcCheck::verify : CrcCheck::skip;
  std::map<std::string, Bytes, std::less<>> storages;
  for (auto& tensor : tree.tensors) {
    auto found = storages.find(tensor.storage_key);
    if (found == storages.end()) {
      TREADLE_TRY(auto record, zip.read(concat(root, "data/", tensor.storage_key), check));
      TREADLE_TRY(auto storage, aligned(std::move(record)));
      found = storages.emplace(tensor.storage_key, std::move(storage)).first;
    }
    if (found->second.size() != tensor.storage_size)
      return corrupt_file("storage ", in_quotes(tensor.storage_key), " has ", found->second.size(),
                          " bytes, the pickle says ", tensor.storage_size);
    tensor.storage = found->second;
  }
  return {};
}

}  // namespace detail

TREADLE_INLINE Result<PickleValue> read_torch_save(Bytes file, const LoadLimits& limits,
                                                   PickleObjects objects) {
  TREADLE_TRY(const auto zip, ZipReader::open(std::move(file), limits));
  const auto root = zip.root();
  TREADLE_CHECK(detail::check_byte_order(zip, root));
  TREADLE_TRY(auto pickle, zip.read(concat(root, "data.pkl")));
  TREADLE_TRY(auto read, detail::read_pickle_tree(std::move(pickle), limits, objects));
  TREADLE_CHECK(detail::fill_storages(*read.first, zip, root, limits));
  return PickleValue(std::move(read.first), read.second);
}

}  // namespace treadle::inline v0
