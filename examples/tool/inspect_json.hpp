// The report of `treadle inspect --json`.
#pragma once

#include <string>

#include <treadle/exported/exported_archive.hpp>

#include "summary.hpp"

namespace tool {

/// One JSON object. `file` gives what `summary` does not have: layout, versions, ranges, notes.
[[nodiscard]] std::string inspect_json(const treadle::ExportedArchive& file,
                                       const Summary& summary);

}  // namespace tool
