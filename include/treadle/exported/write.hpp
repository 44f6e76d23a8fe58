// Writes program files that PyTorch loads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exported/exported_archive.hpp>

namespace treadle::inline v0 {

/// What a program file holds beside its program; all are borrowed.
struct ArchiveContents {
  std::span<const WeightRecord> weights;  ///< equal storage ids share one storage in the file
  std::span<const CustomObjectRecord> custom_objects;
  std::span<const DelegateRecord> delegate_files;
  Bytes sample_inputs;                      ///< a `torch.save` archive, or empty
  const ExportedArchive* extras = nullptr;  ///< where extra files are copied from
};

/// Writes a program in today's layout, schema 8.20: the form that `torch.export.load` of 2.13
/// reads. Storages that weights share stay shared; weights of non-persistent buffers and constants
/// go with the constants. The file appears complete or not at all.
///
/// Errors: `invalid_graph` with the node for what the schema cannot say and for graphs that `lint`
/// finds broken; `io`.
[[nodiscard]] Status write_pt2(const GraphModule& module, const ArchiveContents& contents,
                               const std::string& path);
/// The same for a file that was read, of whatever layout, with its samples and extra files.
[[nodiscard]] Status write_pt2(const ExportedArchive& archive, const std::string& path);
/// The file's bytes.
[[nodiscard]] Result<std::vector<std::byte>> write_pt2(const GraphModule& module,
                                                       const ArchiveContents& contents);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exported/write-inl.hpp>
#endif
