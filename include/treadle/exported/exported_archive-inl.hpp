// Definitions of ExportedArchive's functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <treadle/archive/torch_save.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/exported/exported_archive.hpp>

namespace treadle::inline v0 {
namespace detail {

/// Takes example inputs apart into a tree and its leaves.
class SampleFlattener {
 public:
  explicit SampleFlattener(SampleInputs& out) : out_(out) {}

  /// The depth is that of the pickle, which its reader has bounded.
  [[nodiscard]] Status flatten(const PickleValue& value, TreeSpec& spec) {
    switch (value.kind()) {
      case PickleKind::tuple: return sequence(value, spec, TreeKind::tuple, "builtins.tuple");
      case PickleKind::list: return sequence(value, spec, TreeKind::list, "builtins.list");
      case PickleKind::size: return sequence(value, spec, TreeKind::tuple, "torch.Size");
      case PickleKind::object: return sequence(value, spec, TreeKind::custom, "");
      case PickleKind::dict: return dictionary(value, spec);
      default: return leaf(value);
    }
  }

 private:
  [[nodiscard]] Status sequence(const PickleValue& value, TreeSpec& spec, TreeKind kind,
                                std::string_view type) {
    spec.kind = kind;
    spec.type_name = type;
    spec.context = "null";
    spec.children.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      TREADLE_CHECK(flatten(value.item(i), spec.children[i]));
    return {};
  }

  [[nodiscard]] Status dictionary(const PickleValue& value, TreeSpec& spec) {
    spec.kind = TreeKind::dict;
    spec.type_name = "builtins.dict";
    spec.children.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const PickleValue key = value.key(i);
      if (const auto text = key.as_string())
        spec.keys.emplace_back(std::string(*text));
      else if (const auto number = key.as_int())
        spec.keys.emplace_back(*number);
      else
        return Error(ErrorCode::unsupported_file,
                     concat("sample inputs: a dictionary has a key of kind ", name(key.kind()),
                            ", expected a text or an integer"));
      TREADLE_CHECK(flatten(value.item(i), spec.children[i]));
    }
    return {};
  }

  [[nodiscard]] Status leaf(const PickleValue& value) {
    if (const auto* tensor = value.as_tensor()) {
      out_.leaves.emplace_back(*tensor);
      return {};
    }
    Constant constant;
    if (const auto truth = value.as_bool())
      constant = *truth;
    else if (const auto integer = value.as_int())
      constant = *integer;
    else if (const auto real = value.as_double())
      constant = *real;
    else if (const auto text = value.as_string())
      constant = std::string(*text);
    else if (const auto device = value.as_device())
      constant = *device;
    else if (const auto dtype = value.as_dtype())
      constant = *dtype;
    else if (!value.is_none())
      return Error(ErrorCode::unsupported_file,
                   concat("sample inputs: a leaf of kind ", name(value.kind()), " can't be read"));
    out_.leaves.emplace_back(std::move(constant));
    return {};
  }

  SampleInputs& out_;
};

}  // namespace detail

TREADLE_INLINE Result<Bytes> ExportedArchive::read_extra(std::string_view name) const {
  const std::string path = concat(extra_folder, name);
  const ZipEntry* entry = records && !extra_folder.empty() ? records->find(path) : nullptr;
  if (!entry)
    return Error(ErrorCode::not_found, concat("the file has no extra file '", name, '\''));
  return records->read(*entry);
}

TREADLE_INLINE Result<SampleInputs> ExportedArchive::read_sample_inputs() const {
  if (sample_inputs.empty()) return Error(ErrorCode::not_found, "the file has no sample inputs");
  auto value = read_torch_save(sample_inputs, limits, PickleObjects::keep);
  if (!value) return std::move(value).error().with_context("sample inputs");
  SampleInputs out;
  TREADLE_CHECK(detail::SampleFlattener(out).flatten(*value, out.tree));
  return out;
}

}  // namespace treadle::inline v0
