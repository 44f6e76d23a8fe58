// Definitions of the writing functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/zip_writer.hpp>
#include <treadle/exported/program_encoder.hpp>
#include <treadle/exported/write.hpp>
#include <treadle/graph/lint.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Writes the records of one file.
class Pt2Writer {
 public:
  Pt2Writer(ZipWriter& zip, std::string root, const GraphModule& module,
            const ArchiveContents& contents)
      : zip_(zip), root_(std::move(root)), module_(module), contents_(contents) {}

  [[nodiscard]] Status write() {
    TREADLE_CHECK(verify(module_));
    const Bindings hints = example_sizes();
    ProgramEncoder encoder(hints);
    if (!encoder.encode(module_)) return encoder.take_error();
    const std::string program = std::move(encoder).take();
    const std::string name = module_.name.empty() ? "model" : module_.name;
    TREADLE_CHECK(write_weights(name, false));
    TREADLE_CHECK(write_weights(name, true));
    TREADLE_CHECK(add(concat("models/", name, ".json"), program));
    TREADLE_CHECK(zip_.add(concat(root_, "/data/sample_inputs/", name, ".pt"),
                           contents_.sample_inputs.span()));
    for (const auto& file : contents_.delegate_files)
      TREADLE_CHECK(zip_.add(concat(root_, "/data/", file.name), file.bytes.span()));
    TREADLE_CHECK(write_extras());
    TREADLE_CHECK(add("archive_format", "pt2"));
    TREADLE_CHECK(add("archive_version", "0"));
    TREADLE_CHECK(add("byteorder", "little"));
    TREADLE_CHECK(add(".data/version", "6\n"));
    TREADLE_CHECK(add(".data/serialization_id", digits(program)));
    return zip_.finish();
  }

 private:
  [[nodiscard]] Status add(std::string_view name, std::string_view text) {
    return zip_.add(concat(root_, '/', name), text);
  }

  /// Forty digits that depend on the program (FNV-1a, once for each half).
  static std::string digits(std::string_view program) {
    std::string out;
    for (std::uint64_t hash : {0xcbf29ce484222325u, 0x84222325cbf29ce4u}) {
      for (const char c : program) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
      const std::string half = concat(hash);
      out += std::string(20 - half.size(), '0') + half;
    }
    return out;
  }

  /// Values for symbols that fit their ranges: what PyTorch calls hints.
  [[nodiscard]] Bindings example_sizes() const {
    Bindings hints;
    std::int64_t spread = 0;
    for (const auto& [symbol, range] : module_.ranges) {
      if (symbol.starts_with('u')) continue;
      const std::int64_t low = std::max<std::int64_t>(range.minimum.value_or(2), 2);
      std::int64_t value = low + 3 + spread++;
      if (range.maximum) value = std::clamp(value, std::min(low, *range.maximum), *range.maximum);
      hints.set(symbol, value);
    }
    return hints;
  }

  [[nodiscard]] const InputSpec* spec_of(const WeightRecord& weight) const {
    for (const auto& spec : module_.signature.inputs)
      if (spec.target == weight.fqn && spec.kind != InputKind::custom_object) return &spec;
    return nullptr;
  }

  [[nodiscard]] bool is_constant(const WeightRecord& weight, const InputSpec* spec) const {
    if (spec && spec->kind == InputKind::buffer) return !spec->persistent;
    return weight.kind == WeightKind::tensor_constant;
  }

  [[nodiscard]] Status write_weights(const std::string& model, bool constants) {
    JsonWriter json;
    Status status;
    json.tagged("config", [&] {
      json.object([&] {
        std::map<std::pair<std::size_t, DType>, std::string> files;
        for (const auto& weight : contents_.weights) {
          const InputSpec* spec = spec_of(weight);
          if (is_constant(weight, spec) != constants || !status) continue;
          const auto key = std::pair(weight.storage_id, weight.meta.dtype);
          auto& file = files[key];
          if (file.empty()) {
            file = concat(constants ? "tensor_" : "weight_", files.size() - 1);
            status = zip_.add(concat(root_, folder(constants), file), weight.storage.span());
          }
          json.key(weight.fqn);
          payload(json, weight, spec, file);
        }
        if (constants && status) status = custom_objects(json);
      });
    });
    TREADLE_CHECK(std::move(status));
    const char* ending = constants ? "_constants_config.json" : "_weights_config.json";
    return zip_.add(concat(root_, folder(constants), model, ending), std::move(json).take());
  }

  static const char* folder(bool constants) {
    return constants ? "/data/constants/" : "/data/weights/";
  }

  void payload(JsonWriter& json, const WeightRecord& weight, const InputSpec* spec,
               const std::string& file) const {
    TensorType type = to_type(weight.meta);
    if (spec)
      if (const auto id = module_.graph.find_value(spec->name); id.valid())
        if (const auto& known = module_.graph.value(id).tensor)
          type.requires_grad = known->requires_grad;
    const Bindings none;
    TypeEncoder types(json, none);
    json.object([&] {
      json.key("path_name").text(file);
      json.key("is_param").boolean(weight.is_param);
      json.key("use_pickle").boolean(false);
      json.key("tensor_meta");
      types.tensor(type);
    });
  }

  [[nodiscard]] Status custom_objects(JsonWriter& json) {
    std::size_t number = 0;
    for (const auto& object : contents_.custom_objects) {
      const std::string file = concat("custom_obj_", number++);
      TREADLE_CHECK(zip_.add(concat(root_, folder(true), file), object.bytes.span()));
      json.key(object.fqn).object([&] {
        json.key("path_name").text(file);
        json.key("is_param").boolean(false);
        json.key("use_pickle").boolean(true);
        json.key("tensor_meta").null();
      });
    }
    return {};
  }

  [[nodiscard]] Status write_extras() {
    if (!contents_.extras) return {};
    for (const auto& name : contents_.extras->extra_names) {
      TREADLE_TRY(const auto bytes, contents_.extras->read_extra(name));
      TREADLE_CHECK(zip_.add(concat(root_, "/extra/", name), bytes.span()));
    }
    return {};
  }

  ZipWriter& zip_;
  std::string root_;
  const GraphModule& module_;
  const ArchiveContents& contents_;
};

}  // namespace detail

TREADLE_INLINE Status write_pt2(const GraphModule& module, const ArchiveContents& contents,
                                const std::string& path) {
  std::string root = path.substr(path.find_last_of("/\\") + 1);
  if (const auto dot = root.rfind('.'); dot != std::string::npos && dot != 0) root.resize(dot);
  TREADLE_TRY(auto zip, ZipWriter::to_file(path));
  return detail::Pt2Writer(zip, std::move(root), module, contents).write().with_context(path);
}

TREADLE_INLINE Status write_pt2(const ExportedArchive& archive, const std::string& path) {
  ArchiveContents contents;
  contents.weights = archive.weights;
  contents.custom_objects = archive.custom_objects;
  contents.delegate_files = archive.delegate_files;
  contents.sample_inputs = archive.sample_inputs;
  contents.extras = &archive;
  return write_pt2(archive.module, contents, path);
}

TREADLE_INLINE Result<std::vector<std::byte>> write_pt2(const GraphModule& module,
                                                        const ArchiveContents& contents) {
  ZipWriter zip = ZipWriter::to_memory();
  TREADLE_CHECK(detail::Pt2Writer(zip, "archive", module, contents).write());
  return std::move(zip).take();
}

}  // namespace treadle::inline v0
