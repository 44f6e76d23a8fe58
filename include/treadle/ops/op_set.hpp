// A set of operator definitions, found by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0 {

/// A value: copy it, add to it. Definitions are referred to and must outlive the set, as constant
/// tables do; `add_schema` keeps what it is given.
class OpSet {
 public:
  void add(std::span<const OpDef> definitions) {
    for (const auto& d : definitions) by_name_.insert_or_assign(d.name(), &d);
  }
  /// Declares an operator of which only the schema is known; its results get the types that the
  /// program states. Does nothing if the operator is there.
  void add_schema(std::string_view schema) {
    if (by_name_.contains(schema_name(schema))) return;
    auto kept = std::make_shared<Kept>();
    kept->text = schema;
    kept->definition.schema = kept->text;
    by_name_.emplace(kept->definition.name(), &kept->definition);
    kept_.push_back(std::move(kept));
  }
  /// Declares an operator under another name that is like `other`, except that it is never
  /// decomposed. `other`'s rules must outlive the set; its schema text is kept.
  void add_like(std::string_view name, const OpDef& other) {
    auto kept = std::make_shared<Kept>();
    kept->text = name;
    kept->text += other.schema.substr(other.name().size());
    kept->definition = other;
    kept->definition.schema = kept->text;
    kept->definition.decompose = nullptr;
    by_name_.insert_or_assign(kept->definition.name(), &kept->definition);
    kept_.push_back(std::move(kept));
  }
  /// The definition of `aten::add.Tensor`, or null.
  [[nodiscard]] const OpDef* find(std::string_view name) const noexcept {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::size_t size() const noexcept { return by_name_.size(); }
  [[nodiscard]] auto begin() const noexcept { return by_name_.begin(); }
  [[nodiscard]] auto end() const noexcept { return by_name_.end(); }

 private:
  struct Kept {
    std::string text;
    OpDef definition;
  };
  std::unordered_map<std::string_view, const OpDef*> by_name_;
  std::vector<std::shared_ptr<const Kept>> kept_;
};

}  // namespace treadle::inline v0
