// Finds out which layout a program file has, and reads it.
#pragma once

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/mapped_file.hpp>
#include <treadle/exported/program_decoder.hpp>
#include <treadle/exported/read.hpp>
#include <treadle/exported/weight_reader.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Reads one file. Its steps run in the order of `read`.
class Pt2Reader {
 public:
  Pt2Reader(std::shared_ptr<const ZipReader> zip, const LoadLimits& limits, bool metadata)
      : zip_(std::move(zip)), limits_(limits), metadata_(metadata) {
    out_.records = zip_;
    out_.limits = limits;
  }

  [[nodiscard]] Result<ExportedArchive> read(std::string_view model_name) {
    const bool flat = zip_->find(flat_program) != nullptr;
    TREADLE_CHECK(flat ? read_flat(model_name) : read_folders(model_name));
    return std::move(out_);
  }

 private:
  static constexpr const char* flat_program = "serialized_exported_program.json";

  [[nodiscard]] bool has(const std::string& path) const { return zip_->find(path) != nullptr; }

  [[nodiscard]] Status read_flat(std::string_view model_name) {
    if (!model_name.empty() && model_name != "model") return no_model(model_name, {"model"});
    const bool pt = has("serialized_state_dict.pt");
    out_.layout = pt ? ArchiveLayout::flat : ArchiveLayout::flat_2_2;
    out_.model_name = "model";
    out_.model_names = {"model"};
    collect_extras("extra_files/");
    TREADLE_TRY(const auto text, zip_->read(flat_program));
    TREADLE_TRY(const auto document, parse(text, flat_program));
    TREADLE_CHECK(decode(document.root(), flat_program));
    WeightReader weights(*zip_, limits_, out_);
    for (const bool constants : {false, true}) {
      const std::string path =
          concat("serialized_", constants ? "constants" : "state_dict", pt ? ".pt" : ".json");
      if (has(path)) TREADLE_CHECK(weights.read_pickled(path, constants));
    }
    weights.note_missing();
    return read_samples("serialized_example_inputs.pt");
  }

  [[nodiscard]] Status read_folders(std::string_view model_name) {
    root_ = zip_->root();
    const bool marked = has(concat(root_, "archive_format"));
    TREADLE_CHECK(check_header());
    find_models();
    if (out_.model_names.empty() && !other_content().empty())
      return unsupported_file("the file is no exported program, it holds ", other_content());
    if (out_.model_names.empty())
      return unsupported_file("the file is no exported program: it has neither '", flat_program,
                              "' nor '", root_, "models/<name>.json'",
                              marked ? "" : ", and no 'archive_format'");
    TREADLE_CHECK(choose_model(model_name));
    collect_extras(concat(root_, "extra/"));
    const std::string path = concat(root_, "models/", out_.model_name, ".json");
    TREADLE_TRY(const auto text, zip_->read(path));
    TREADLE_TRY(const auto document, parse(text, path));
    const JsonValue package = document.root();
    TREADLE_CHECK(read_delegates());
    if (package.find("tensorPaths")) return read_nativert(package, path);
    TREADLE_CHECK(decode(package, path));
    TREADLE_CHECK(read_weights());
    return read_samples(concat(root_, "data/sample_inputs/", out_.model_name, ".pt"));
  }

  [[nodiscard]] Result<JsonDocument> parse(const Bytes& text, std::string_view path) {
    return JsonDocument::parse(text.text(), limits_).with_context(path);
  }

  [[nodiscard]] Status decode(JsonValue program, std::string_view path) {
    ProgramDecoder decoder(limits_, metadata_);
    if (!decoder.decode(program, out_.module)) return decoder.take_error().with_context(path);
    out_.module.name = out_.model_name;
    out_.schema_major = decoder.version().major;
    out_.schema_minor = decoder.version().minor;
    out_.torch_version = out_.module.torch_version;
    for (auto& note : decoder.notes()) out_.notes.push_back(std::move(note));
    return {};
  }

  /// A small text record; empty if it is missing.
  [[nodiscard]] Result<std::string> read_text(const std::string& path) {
    if (!has(path)) return std::string();
    TREADLE_TRY(const auto bytes, zip_->read(path));
    std::string_view text = bytes.text();
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    return std::string(text);
  }

  [[nodiscard]] Status check_header() {
    TREADLE_TRY(const auto format, read_text(concat(root_, "archive_format")));
    if (!format.empty() && format != "pt2")
      return unsupported_file("'archive_format' is ", in_quotes(format), ", expected 'pt2'");
    TREADLE_TRY(const auto order, read_text(concat(root_, "byteorder")));
    if (!order.empty() && order != "little")
      return unsupported_file("'byteorder' is ", in_quotes(order),
                              ", only little-endian files are read");
    TREADLE_TRY(const auto version, read_text(concat(root_, "archive_version")));
    const char* end = version.data() + version.size();
    if (!version.empty() && std::from_chars(version.data(), end, out_.archive_version).ptr != end)
      return corrupt_file("'archive_version' is ", in_quotes(version), ", expected a number");
    return {};
  }

  void find_models() {
    const std::string folder = concat(root_, "models/");
    for (const auto& entry : zip_->entries()) {
      std::string_view name = entry.name;
      if (!name.starts_with(folder) || !name.ends_with(".json")) continue;
      name.remove_prefix(folder.size());
      name.remove_suffix(5);
      if (!name.empty() && name.find('/') == std::string_view::npos)
        out_.model_names.emplace_back(name);
    }
  }

  /// What else of PyTorch's a file without models is; empty if it is nothing known.
  [[nodiscard]] std::string_view other_content() const {
    const auto has_folder = [&](std::string_view folder) {
      const std::string path = concat(root_, folder);
      return std::ranges::any_of(
          zip_->entries(), [&](const ZipEntry& entry) { return entry.name.starts_with(path); });
    };
    if (has_folder("data/aotinductor/")) return "libraries that AOTInductor compiled, not programs";
    if (has_folder("code/")) return "a TorchScript module";
    if (has(concat(root_, "data.pkl"))) return "pickled values of torch.save";
    return {};
  }

  [[nodiscard]] static Error no_model(std::string_view name,
                                      const std::vector<std::string>& names) {
    return {ErrorCode::not_found, concat("the file has no model '", name, "', it has ", names)};
  }

  [[nodiscard]] Status choose_model(std::string_view wanted) {
    const auto& names = out_.model_names;
    if (wanted.empty() && names.size() == 1) wanted = names[0];
    if (wanted.empty()) wanted = "model";
    for (const auto& name : names)
      if (name == wanted) {
        out_.model_name = name;
        return {};
      }
    return no_model(wanted, names);
  }

  void collect_extras(std::string folder) {
    for (const auto& entry : zip_->entries())
      if (entry.name.size() > folder.size() && entry.name.starts_with(folder))
        out_.extra_names.push_back(entry.name.substr(folder.size()));
    out_.extra_folder = std::move(folder);
  }

  /// Lowered parts come with records of their own: kept, not looked into.
  [[nodiscard]] Status read_delegates() {
    const std::string data = concat(root_, "data/");
    for (const auto& entry : zip_->entries()) {
      std::string_view name = entry.name;
      if (!name.starts_with(data) || name.ends_with('/')) continue;
      name.remove_prefix(data.size());
      if (!name.starts_with("executorch/") && !name.starts_with("aotinductor/")) continue;
      TREADLE_TRY(auto bytes, zip_->read(entry));
      out_.delegate_files.push_back({std::string(name), std::move(bytes)});
    }
    return {};
  }

  /// What a package of compiled code without a program is called.
  [[nodiscard]] Status read_weights() {
    WeightReader weights(*zip_, limits_, out_);
    out_.layout = ArchiveLayout::archive;
    for (const bool constants : {false, true}) {
      const std::string folder = concat(root_, "data/", constants ? "constants/" : "weights/");
      const std::string pickled = concat(folder, out_.model_name, ".pt");
      if (has(pickled)) {
        out_.layout = ArchiveLayout::pickled;
        TREADLE_CHECK(weights.read_pickled(pickled, constants));
        continue;
      }
      for (const char* ending :
           {constants ? "_constants_config.json" : "_weights_config.json",
            constants ? "_model_constants_config.json" : "_model_param_config.json"})
        if (const std::string path = concat(folder, out_.model_name, ending); has(path)) {
          TREADLE_CHECK(weights.read_config(path, constants));
          break;
        }
    }
    weights.note_missing();
    return {};
  }

  /// `{name, tensorPaths, program {methods {forward}}, constantPaths}`.
  [[nodiscard]] Status read_nativert(JsonValue package, const std::string& path) {
    out_.layout = ArchiveLayout::nativert;
    const JsonValue program = package.find("program").find("methods").find("forward");
    if (!program)
      return corrupt_file(path, ": a nativert package without 'program.methods.forward'");
    TREADLE_CHECK(decode(program, path));
    WeightReader weights(*zip_, limits_, out_);
    for (const bool constants : {false, true}) {
      const JsonValue files = package.find(constants ? "constantPaths" : "tensorPaths");
      if (files.is_null()) continue;
      if (!files.is(JsonKind::object))
        return corrupt_file(path, ": '", files.key(), "' is ", name(files.kind()),
                            ", expected an object");
      const std::string folder = concat(root_, "data/", constants ? "constants/" : "weights/");
      for (const JsonValue file : files) {
        if (!file.is(JsonKind::text))
          return corrupt_file(path, ": the file of ", in_quotes(file.key()), " is ",
                              name(file.kind()), ", expected a text");
        TREADLE_CHECK(read_nativert_tensor(weights, file, folder, constants));
      }
    }
    weights.note_missing();
    return read_samples(concat(root_, "data/sample_inputs/", out_.model_name, ".pt"));
  }

  [[nodiscard]] Status read_nativert_tensor(WeightReader& weights, JsonValue file,
                                            const std::string& folder, bool constants) {
    const std::string path = concat(folder, file.text());
    if (!file.text().starts_with("custom_obj_"))
      return weights.read_raw(path, file.key(), constants);
    return weights.read_object(path, file.key());
  }

  [[nodiscard]] Status read_samples(const std::string& path) {
    if (!has(path)) return {};
    TREADLE_TRY(out_.sample_inputs, zip_->read(path));
    return {};
  }

  std::shared_ptr<const ZipReader> zip_;
  const LoadLimits& limits_;
  bool metadata_;
  std::string root_;
  ExportedArchive out_;
};

}  // namespace detail

TREADLE_INLINE Result<ExportedArchive> read_pt2(Bytes file, const LoadLimits& limits,
                                                std::string_view model_name,
                                                NodeMetadata metadata) {
  TREADLE_TRY(auto zip, ZipReader::open(std::move(file), limits));
  detail::Pt2Reader reader(std::make_shared<const ZipReader>(std::move(zip)), limits,
                           metadata == NodeMetadata::keep);
  return reader.read(model_name);
}

TREADLE_INLINE Result<ExportedArchive> read_pt2(const std::string& path, const LoadLimits& limits,
                                                std::string_view model_name,
                                                NodeMetadata metadata) {
  TREADLE_TRY(auto file, map_file(path, limits));
  return read_pt2(std::move(file), limits, model_name, metadata).with_context(path);
}

}  // namespace treadle::inline v0
