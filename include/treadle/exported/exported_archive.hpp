// What a program file holds: the program, its weights, and the rest of its records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/pickle.hpp>
#include <treadle/archive/zip_reader.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/core/tree_spec.hpp>
#include <treadle/graph/graph_module.hpp>

namespace treadle::inline v0 {

/// The layouts of program files, by age.
enum class ArchiveLayout : std::uint8_t {
  flat_2_2,  ///< torch 2.1 and 2.2: no folders, pickled weights under `.json` names
  flat,      ///< up to torch 2.7: no folders, pickled weights
  pickled,   ///< torch 2.8: folders, pickled weights
  nativert,  ///< early nativert packages
  archive,   ///< today's: folders, raw weights
};

/// The layout's name in reports.
[[nodiscard]] constexpr std::string_view name(ArchiveLayout layout) noexcept {
  constexpr std::string_view names[] = {"pt2 2.2", "flat (<= 2.7)",
                                        "archive with pickled weights (2.8)", "nativert package",
                                        "archive"};
  return names[static_cast<int>(layout)];
}

enum class WeightKind : std::uint8_t { parameter, buffer, tensor_constant };

/// One named tensor of a file: a strided view of a storage that others may share.
struct WeightRecord {
  std::string fqn;
  WeightKind kind = WeightKind::parameter;
  TensorMeta meta;             ///< concrete; its extent lies inside `storage`
  Bytes storage;               ///< the whole storage, mapped where the file allows
  std::size_t storage_id = 0;  ///< equal for names that share one storage
  bool is_param = false;
};

/// A serialized object of a class that only its host knows.
struct CustomObjectRecord {
  std::string fqn;
  Bytes bytes;
};

/// A record for a part of the program that was lowered for something else, never looked into.
struct DelegateRecord {
  std::string name;  ///< path below `data/`, e.g. `executorch/part-Npu`
  Bytes bytes;
};

/// Recorded example inputs: the leaves of a tree, in its order.
struct SampleInputs {
  using Leaf = std::variant<PickledTensor, Constant>;
  TreeSpec tree;  ///< tuple(args tuple, kwargs dict)
  std::vector<Leaf> leaves;
};

/// A program file, read. Weights share the mapped file and may outlive this.
struct ExportedArchive {
  GraphModule module;
  std::vector<WeightRecord> weights;
  std::vector<CustomObjectRecord> custom_objects;
  std::vector<DelegateRecord> delegate_files;
  ArchiveLayout layout = ArchiveLayout::archive;
  std::int64_t archive_version = 0;
  std::int64_t schema_major = 0;
  std::int64_t schema_minor = 0;
  std::string torch_version;             ///< empty in old files
  std::string model_name;                ///< the model that was read
  std::vector<std::string> model_names;  ///< all models in the file
  std::vector<std::string> extra_names;
  std::vector<std::string> notes;  ///< harmless oddities, as sentences
  Bytes sample_inputs;             ///< a `torch.save` archive; empty if there are none
  std::shared_ptr<const ZipReader> records;
  std::string extra_folder;  ///< what stands before an extra file's name in the records
  LoadLimits limits;         ///< those it was read with

  [[nodiscard]] const WeightRecord* find_weight(std::string_view fqn) const noexcept {
    for (const auto& weight : weights)
      if (weight.fqn == fqn) return &weight;
    return nullptr;
  }
  /// An extra file's bytes; `not_found` if there is no such file.
  [[nodiscard]] Result<Bytes> read_extra(std::string_view name) const;
  /// The example inputs; `not_found` if the file has none.
  [[nodiscard]] Result<SampleInputs> read_sample_inputs() const;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exported/exported_archive-inl.hpp>
#endif
