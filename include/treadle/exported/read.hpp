// Reads the program files of every PyTorch release.
#pragma once

#include <string>
#include <string_view>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exported/exported_archive.hpp>

namespace treadle::inline v0 {

/// Whether nodes keep the Python stack traces and module paths that the file has for them.
enum class NodeMetadata : bool { drop, keep };

/// Reads what `torch.export.save` wrote: today's archives and all older layouts, of schema majors 2
/// to 8. The file is mapped; weights stay in place. Nothing in it is executed. A file with several
/// models needs `model_name`, unless one of them is called `model`.
///
/// Errors name the record, the node and the field: `io`, `corrupt_file`, `unsupported_file`,
/// `limit_exceeded`, and `not_found` for a model name that the file does not have.
[[nodiscard]] Result<ExportedArchive> read_pt2(const std::string& path,
                                               const LoadLimits& limits = {},
                                               std::string_view model_name = {},
                                               NodeMetadata metadata = NodeMetadata::keep);
/// The same from bytes in memory, which the weights then share.
[[nodiscard]] Result<ExportedArchive> read_pt2(Bytes file, const LoadLimits& limits = {},
                                               std::string_view model_name = {},
                                               NodeMetadata metadata = NodeMetadata::keep);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exported/read-inl.hpp>
#endif
