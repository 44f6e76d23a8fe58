// Reads the weights of a program file, raw or pickled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <treadle/archive/torch_save.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/exported/exported_archive.hpp>
#include <treadle/exported/type_decoder.hpp>

namespace treadle::inline v0::detail {

/// Collects weight records, checks each, and gives storages their ids.
class WeightReader {
 public:
  WeightReader(const ZipReader& zip, const LoadLimits& limits, ExportedArchive& out)
      : zip_(zip), types_(limits), out_(out) {
    for (const auto& spec : out.module.signature.inputs)
      names_.emplace(spec.target, Name{&spec, false});
  }

  /// A payload config beside the records that it names; `constants` for that of constants.
  [[nodiscard]] Status read_config(const std::string& path, bool constants) {
    TREADLE_TRY(const auto text, zip_.read(path));
    auto document = JsonDocument::parse(text.text(), types_.limits());
    if (!document) return std::move(document).error().with_context(path);
    JsonValue config;
    if (!types_.object(document->root(), "payload config") ||
        !types_.field(document->root(), "config", JsonKind::object, config))
      return types_.take_error().with_context(path);
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    for (const JsonValue row : config)
      if (auto status = read_payload(row, folder, constants); !status)
        return std::move(status).error().with_context(concat(path, ": ", in_quotes(row.key())));
    return {};
  }

  /// A `torch.save` archive of a dictionary of tensors. An empty record holds none.
  [[nodiscard]] Status read_pickled(const std::string& path, bool constants) {
    TREADLE_TRY(auto record, zip_.read(path, weight_check()));
    if (record.empty()) return {};
    auto value = read_torch_save(std::move(record), types_.limits());
    if (!value) return std::move(value).error().with_context(path);
    if (value->kind() != PickleKind::dict)
      return corrupt_file(path, ": the pickle is of kind ", name(value->kind()),
                          ", expected a dict of tensors");
    for (std::size_t i = 0; i < value->size(); ++i) {
      const auto key = value->key(i).as_string();
      const PickleValue item = value->item(i);
      const auto* tensor = item.as_tensor();
      if (!key || !tensor)
        return corrupt_file(path, ": entry ", i, " is ", name(item.kind()),
                            ", expected a named tensor");
      const auto id = storage_id(concat(path, '\n', tensor->storage_key));
      TREADLE_CHECK(add(*key, tensor->meta, tensor->storage, id, constants, tensor->is_parameter));
    }
    return {};
  }

  /// The bytes of one tensor's storage; its metadata is the graph's, from the storage's start on.
  [[nodiscard]] Status read_raw(const std::string& path, std::string_view fqn, bool constants) {
    const InputSpec* const spec = spec_of(fqn);
    if (!spec) return {};  // not used by the program
    const ValueId id = out_.module.graph.find_value(spec->name);
    const auto& value = out_.module.graph.value(id);
    auto meta = value.tensor ? to_meta(*value.tensor) : std::nullopt;
    if (!meta)
      return corrupt_file(path, ": the graph does not tell the sizes of ", quoted_name(fqn));
    meta->storage_offset = 0;
    TREADLE_TRY(auto storage, raw_storage(path));
    return add(fqn, *meta, std::move(storage), storage_id(path), constants,
               spec->kind == InputKind::parameter);
  }

  /// The bytes of a custom object, for its host.
  [[nodiscard]] Status read_object(const std::string& path, std::string_view fqn) {
    TREADLE_TRY(auto bytes, zip_.read(path));
    see(fqn);
    out_.custom_objects.push_back({std::string(fqn), std::move(bytes)});
    return {};
  }

  /// Parameters, buffers and constants of the signature that the file has no weights for.
  void note_missing() {
    for (const auto& [fqn, known] : names_)
      if (!fqn.empty() && !known.seen)
        out_.notes.push_back(
            concat("the file has no data for the ", name(known.spec->kind), ' ', quoted_name(fqn)));
  }

 private:
  struct Name {
    const InputSpec* spec = nullptr;  ///< null if the signature does not have it
    bool seen = false;
  };
  struct Storage {
    std::size_t id;
    Bytes bytes;
    bool is_read;
  };

  static std::string quoted_name(std::string_view text) { return in_quotes(text); }

  [[nodiscard]] CrcCheck weight_check() const noexcept {
    return types_.limits().verify_weights_crc ? CrcCheck::verify : CrcCheck::skip;
  }

  /// The signature's line for a name, or null.
  [[nodiscard]] const InputSpec* spec_of(std::string_view fqn) const {
    const auto found = names_.find(fqn);
    return found == names_.end() ? nullptr : found->second.spec;
  }
  /// Notes that there is data for a name; false if there was some before.
  bool see(std::string_view fqn) {
    return !std::exchange(names_.try_emplace(std::string(fqn)).first->second.seen, true);
  }

  Storage& storage(const std::string& key) {
    return storages_.try_emplace(key, Storage{storages_.size(), {}, false}).first->second;
  }
  std::size_t storage_id(const std::string& key) { return storage(key).id; }

  [[nodiscard]] Status read_payload(JsonValue row, const std::string& folder, bool constants) {
    std::string_view file;
    bool is_param = false;
    bool use_pickle = false;
    if (!types_.object(row, "payload") || !types_.text(row, "path_name", file) ||
        !types_.boolean(row.find("is_param"), "is_param", is_param) ||
        !types_.boolean(row.find("use_pickle"), "use_pickle", use_pickle))
      return types_.take_error();
    const std::string path = concat(folder, file);
    if (file.starts_with("opaque_obj_"))
      return unsupported_file("an opaque Python object (", path, ") can't be read");
    if (file.starts_with("custom_obj_")) {
      return read_object(path, row.key());
    }
    if (use_pickle) return read_pickled_tensor(path, row.key(), constants, is_param);
    TensorType type;
    if (!types_.tensor_type(row.find("tensor_meta"), type)) return types_.take_error();
    const auto meta = to_meta(type);
    if (!meta) return corrupt_file("'tensor_meta' has symbolic sizes");
    TREADLE_TRY(auto storage, raw_storage(path));
    return add(row.key(), *meta, std::move(storage), storage_id(path), constants, is_param);
  }

  /// The record's bytes, read once however many names share them.
  [[nodiscard]] Result<Bytes> raw_storage(const std::string& path) {
    Storage& known = storage(path);
    if (!known.is_read) {
      TREADLE_TRY(auto record, zip_.read(path, weight_check()));
      TREADLE_TRY(known.bytes, aligned(std::move(record)));
      known.is_read = true;
    }
    return known.bytes;
  }

  [[nodiscard]] Status read_pickled_tensor(const std::string& path, std::string_view fqn,
                                           bool constants, bool is_param) {
    TREADLE_TRY(auto record, zip_.read(path, weight_check()));
    TREADLE_TRY(const auto value, read_torch_save(std::move(record), types_.limits()));
    const auto* tensor = value.as_tensor();
    if (!tensor) return corrupt_file(path, " holds ", name(value.kind()), ", expected a tensor");
    return add(fqn, tensor->meta, tensor->storage, storage_id(path), constants, is_param);
  }

  [[nodiscard]] Status add(std::string_view fqn, const TensorMeta& meta, Bytes storage,
                           std::size_t id, bool constants, bool is_param) {
    if (!see(fqn)) return corrupt_file("weight ", quoted_name(fqn), " is given twice");
    const auto bytes = storage_bytes(meta);
    if (!bytes || element_count(meta) > types_.limits().max_tensor_elements)
      return corrupt_file("weight ", quoted_name(fqn), " has impossible sizes ", meta.sizes,
                          " with strides ", meta.strides);
    if (storage.empty() && *bytes > 0) {
      TREADLE_TRY(storage, zeros(*bytes));
    }
    if (*bytes > storage.size())
      return corrupt_file("weight ", quoted_name(fqn), ' ', to_string(meta), " with strides ",
                          meta.strides, " and offset ", meta.storage_offset, " needs ", *bytes,
                          " bytes of a storage of ", storage.size());
    WeightRecord record{std::string(fqn), WeightKind::buffer, meta, std::move(storage), id,
                        is_param};
    record.kind = constants  ? WeightKind::tensor_constant
                  : is_param ? WeightKind::parameter
                             : WeightKind::buffer;
    TREADLE_CHECK(compare(record));
    out_.weights.push_back(std::move(record));
    return {};
  }

  /// A record without bytes stands for zeros.
  [[nodiscard]] Result<Bytes> zeros(std::size_t count) {
    zero_bytes_ += count;
    if (zero_bytes_ > types_.limits().max_inflated_bytes)
      return limit_exceeded(
          "records without bytes stand for more zeros than ",
          "LoadLimits::max_inflated_bytes = ", types_.limits().max_inflated_bytes);
    TREADLE_TRY(auto buffer, allocate_bytes(count));
    std::memset(buffer.get(), 0, count);
    const std::span<const std::byte> view(buffer.get(), count);
    return Bytes(std::move(buffer), view);
  }

  /// The signature's kind wins; the graph's dtype and sizes must agree.
  [[nodiscard]] Status compare(WeightRecord& record) {
    const InputSpec* const spec = spec_of(record.fqn);
    if (!spec) return {};
    switch (spec->kind) {
      case InputKind::parameter: record.kind = WeightKind::parameter; break;
      case InputKind::buffer: record.kind = WeightKind::buffer; break;
      case InputKind::tensor_constant: record.kind = WeightKind::tensor_constant; break;
      default: return {};
    }
    if (spec->kind == InputKind::parameter) record.is_param = true;
    const auto id = out_.module.graph.find_value(spec->name);
    const auto& type = out_.module.graph.value(id).tensor;
    if (!type) return {};
    bool same = type->rank() == record.meta.rank();
    for (std::size_t i = 0; same && i < type->rank(); ++i)
      same = !type->sizes[i].known() || type->sizes[i].is(record.meta.sizes[i]);
    if (type->dtype == record.meta.dtype && same) return {};
    std::vector<std::string> sizes;
    for (const auto& size : type->sizes) sizes.push_back(to_string(size));
    return corrupt_file("weight ", quoted_name(record.fqn), " is ", to_string(record.meta),
                        ", the graph says ", name(type->dtype), sizes);
  }

  const ZipReader& zip_;
  TypeDecoder types_;
  ExportedArchive& out_;
  std::map<std::string, Name, std::less<>> names_;
  std::unordered_map<std::string, Storage> storages_;
  std::uint64_t zero_bytes_ = 0;
};

}  // namespace treadle::inline v0::detail
