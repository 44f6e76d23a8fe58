// What the engine takes from a program file besides the program.
#pragma once

#include <vector>

#include <treadle/config.hpp>
#include <treadle/exec/custom_classes.hpp>
#include <treadle/exec/delegate.hpp>
#include <treadle/exec/weights.hpp>
#include <treadle/exported/exported_archive.hpp>

namespace treadle::inline v0 {

/// The archive's weights in the form that backends take.
[[nodiscard]] std::vector<WeightSource> weight_sources(const ExportedArchive& archive);

/// The archive's custom objects in the form that classes take.
[[nodiscard]] std::vector<ObjectSource> object_sources(const ExportedArchive& archive);

/// The archive's records for delegates.
[[nodiscard]] std::vector<DelegateFile> delegate_files(const ExportedArchive& archive);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/model/archive_sources-inl.hpp>
#endif
