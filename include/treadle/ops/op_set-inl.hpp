// Definitions of op_set.hpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <treadle/ops/op_set.hpp>

namespace treadle::inline v0 {

TREADLE_INLINE void OpSet::add(std::span<const OpDef> definitions) {
  for (const auto& d : definitions) {
    by_name_.insert_or_assign(d.name(), &d);
    if (d.decompose) composites_.insert_or_assign(d.name(), &d);
  }
}

TREADLE_INLINE void OpSet::add_schema(std::string_view schema) {
  if (by_name_.contains(schema_name(schema))) return;
  auto kept = std::make_shared<Kept>();
  kept->text = schema;
  kept->definition.schema = kept->text;
  by_name_.emplace(kept->definition.name(), &kept->definition);
  kept_.push_back(std::move(kept));
}

TREADLE_INLINE void OpSet::add_like(std::string_view name, const OpDef& other) {
  auto kept = std::make_shared<Kept>();
  kept->text = name;
  kept->text += other.schema.substr(other.name().size());
  kept->definition = other;
  kept->definition.schema = kept->text;
  kept->definition.decompose = nullptr;
  by_name_.insert_or_assign(kept->definition.name(), &kept->definition);
  kept_.push_back(std::move(kept));
}

TREADLE_INLINE const OpDef* OpSet::find(std::string_view name) const noexcept {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

TREADLE_INLINE const OpDef* OpSet::find_composite(std::string_view name) const noexcept {
  const auto found = composites_.find(name);
  return found == composites_.end() ? nullptr : found->second;
}

}  // namespace treadle::inline v0
