// What an operator is, apart from any kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include <treadle/core/result.hpp>
#include <treadle/ops/infer.hpp>
#include <treadle/ops/schema.hpp>

namespace treadle::inline v0 {

class Decomposition;

/// Arguments that an operator writes although its schema does not say so: running statistics.
struct UnmarkedWrites {
  std::uint32_t arguments = 0;  ///< one bit for each place in the schema
  std::uint8_t decider = 0;     ///< place of the flag that must be true for the writes to happen
};

/// Properties that passes and planners ask for.
struct OpTraits {
  bool random = false;  ///< draws from the random state: neither folded nor merged
  bool effect = false;  ///< must run even if no output is used (assertions, printing)
  bool elementwise =
      false;  ///< each output element depends only on the input elements of its place
  bool data_dependent = false;  ///< output sizes depend on element values
  /// Results may show an argument's storage although the schema does not mark them (`dropout` in
  /// evaluation, `type_as`).
  bool may_alias = false;
  UnmarkedWrites unmarked_writes = {};
};

/// The definition of one operator overload. Tables of these are constant data.
struct OpDef {
  using Infer = Status (*)(InferContext&);
  using Decompose = Status (*)(Decomposition&);

  std::string_view schema;  ///< whole schema text; the name is what precedes the parenthesis
  Infer infer = nullptr;    ///< shape rule; null for in-place forms, which get their `self` back
  OpTraits traits = {};
  /// In-place forms: the operator that computes the same into new memory. Its kernel is run with
  /// `out` = `self`, so kernels of operators named here must accept that.
  std::string_view functional = {};
  Decompose decompose = nullptr;  ///< definition by other operators, used where no kernel is

  [[nodiscard]] constexpr std::string_view name() const noexcept { return schema_name(schema); }
};

}  // namespace treadle::inline v0
