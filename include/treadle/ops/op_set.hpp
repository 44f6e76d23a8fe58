// A set of operator definitions, found by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// A value: copy it, add to it. Definitions are referred to and must outlive the set, as constant
/// tables do; `add_schema` keeps what it is given.
class OpSet {
 public:
  void add(std::span<const OpDef> definitions);
  /// Declares an operator of which only the schema is known; its results get the types that the
  /// program states. Does nothing if the operator is there.
  void add_schema(std::string_view schema);
  /// Declares an operator under another name that is like `other`, except that it is never
  /// decomposed. `other`'s rules must outlive the set; its schema text is kept.
  void add_like(std::string_view name, const OpDef& other);
  /// The definition of `aten::add.Tensor`, or null.
  [[nodiscard]] const OpDef* find(std::string_view name) const noexcept;
  /// The definition by other operators that was added last under this name, or null. One that was
  /// added without such a definition hides it from `find` but not from here: where it has no
  /// kernel, the operator can still be written as others.
  [[nodiscard]] const OpDef* find_composite(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return by_name_.size(); }
  [[nodiscard]] auto begin() const noexcept { return by_name_.begin(); }
  [[nodiscard]] auto end() const noexcept { return by_name_.end(); }

 private:
  struct Kept {
    std::string text;
    OpDef definition;
  };
  using ByName = std::unordered_map<std::string_view, const OpDef*>;

  ByName by_name_, composites_;
  std::vector<std::shared_ptr<const Kept>> kept_;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/ops/op_set-inl.hpp>
#endif
