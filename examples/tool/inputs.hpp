// A program's inputs from a file, from its samples, or made up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <treadle/archive/npz.hpp>
#include <treadle/core/result.hpp>
#include <treadle/exported/exported_archive.hpp>

#include "common.hpp"

namespace tool {

/// Values for all user inputs; every call gets copies, since programs may write to them.
class Inputs {
 public:
  /// From `in0`, `in1`, … of an `.npz` file if there is a path; else the archive's samples; else
  /// zeros of the smallest sizes that the program takes. Errors name the array and the input.
  static treadle::Result<Inputs> make(const treadle::ExportedArchive& archive,
                                      const std::optional<std::string>& npz);

  /// From the arrays `in0`, `in1`, … among others, or nothing if there is none of these.
  static treadle::Result<std::optional<Inputs>> among(const treadle::ExportedArchive& archive,
                                                      const std::vector<treadle::NamedArray>& all,
                                                      const std::string& origin);

  [[nodiscard]] const std::vector<Value>& values() const noexcept { return values_; }
  /// Copies for one call.
  [[nodiscard]] treadle::Result<std::vector<Value>> fresh() const;
  /// `in.npz`, `the file's samples`, or `zeros`.
  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }

 private:
  std::vector<Value> values_;
  std::string origin_;
};

}  // namespace tool
