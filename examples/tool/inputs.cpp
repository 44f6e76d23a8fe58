// Finds or makes the inputs of a program.
#include "inputs.hpp"

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include <treadle/archive/npz.hpp>
#include <treadle/symbolic/evaluate.hpp>

#include "user_inputs.hpp"
#include "values.hpp"

namespace tool {
namespace {

using treadle::Error;
using treadle::ErrorCode;
using treadle::ExportedArchive;
using treadle::NamedArray;
using treadle::Result;
using treadle::Status;

// --- from a file ---------------------------------------------------------------------------------

/// The k of `ink`; nothing if the name is another one.
std::optional<std::size_t> input_number(std::string_view name) {
  if (!name.starts_with("in") || name.size() < 3) return std::nullopt;
  std::size_t k = 0;
  const auto [end, code] = std::from_chars(name.data() + 2, name.data() + name.size(), k);
  if (code != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return k;
}

std::string names_of(const std::vector<NamedArray>& arrays) {
  std::string names;
  for (const auto& [name, array] : arrays) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no arrays" : names;
}

Status check_names(const std::vector<NamedArray>& arrays, const std::vector<UserInput>& inputs) {
  for (const auto& [name, array] : arrays) {
    if (!name.starts_with("in")) continue;
    const auto k = input_number(name);
    if (!k || *k >= inputs.size())
      return Error(ErrorCode::invalid_argument,
                   fmt::format("the array '{}' belongs to no input: the program takes {}", name,
                               count_text(inputs)));
  }
  return {};
}

Result<Value> from_array(const treadle::NpyArray& array, const UserInput& input) {
  if (input.tensor) {
    TREADLE_TRY(auto tensor, to_tensor(array));
    return Value(std::move(tensor));
  }
  auto number = to_number(array);
  if (!number)
    return Error(
        ErrorCode::invalid_argument,
        fmt::format("expected a number (an array without dimensions) for input '{}', found {}",
                    input.name, describe(array)));
  return *std::move(number);
}

Result<std::vector<Value>> from_arrays(const std::vector<NamedArray>& arrays,
                                       const std::vector<UserInput>& inputs) {
  TREADLE_CHECK(check_names(arrays, inputs));
  std::vector<Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto name = fmt::format("in{}", i);
    const auto found = std::ranges::find(arrays, name, &NamedArray::first);
    if (found == arrays.end()) {
      if (!inputs[i].constant)
        return Error(ErrorCode::not_found,
                     fmt::format("there is no array '{}' for input '{}' ({}); found {}", name,
                                 inputs[i].name, inputs[i].type, names_of(arrays)));
      values.emplace_back();
      continue;
    }
    auto value = from_array(found->second, inputs[i]);
    if (!value) return std::move(value).with_context(fmt::format("'{}'", name)).error();
    values.push_back(*std::move(value));
  }
  return values;
}

// --- from the archive ----------------------------------------------------------------------------

Value from_constant(const treadle::Constant& constant) {
  if (const auto* v = std::get_if<bool>(&constant)) return *v;
  if (const auto* v = std::get_if<std::int64_t>(&constant)) return *v;
  if (const auto* v = std::get_if<double>(&constant)) return *v;
  if (const auto* v = std::get_if<std::complex<double>>(&constant)) return *v;
  if (const auto* v = std::get_if<std::string>(&constant)) return *v;
  return {};
}

Result<std::vector<Value>> from_samples(const ExportedArchive& archive,
                                        const std::vector<UserInput>& inputs) {
  TREADLE_TRY(const auto samples, archive.read_sample_inputs());
  if (samples.leaves.size() != inputs.size())
    return Error(ErrorCode::corrupt_file,
                 fmt::format("the file has {} sample inputs, the program takes {}",
                             samples.leaves.size(), count_text(inputs)));
  std::vector<Value> values;
  for (const auto& leaf : samples.leaves) {
    const auto* tensor = std::get_if<treadle::PickledTensor>(&leaf);
    if (!tensor) {
      values.push_back(from_constant(std::get<treadle::Constant>(leaf)));
      continue;
    }
    treadle::TensorMeta meta = tensor->meta;
    meta.device = {};  // wherever it was recorded, it is here now
    TREADLE_TRY(auto adopted,
                Backend().adopt(tensor->storage.span(), tensor->storage.owner(), meta));
    values.emplace_back(std::move(adopted));
  }
  return values;
}

// --- made up -------------------------------------------------------------------------------------

/// Sizes of 0 and 1 are often special cases, so 2 is the least unless the program wants less.
treadle::Bindings smallest_sizes(const treadle::GraphModule& module) {
  treadle::Bindings sizes;
  const auto bind = [&](const treadle::Expr& expr) {
    std::vector<std::string> names;
    treadle::collect_symbols(expr, names);
    for (const auto& name : names) {
      std::int64_t size = 2;
      if (const auto range = module.ranges.find(name); range != module.ranges.end()) {
        size = std::max(size, range->second.minimum.value_or(size));
        size = std::min(size, range->second.maximum.value_or(size));
      }
      sizes.set(name, size);
    }
  };
  for (const auto id : module.graph.inputs()) {
    if (!id.valid()) continue;
    const auto& value = module.graph.value(id);
    if (value.symbolic) bind(value.symbolic);
    if (!value.tensor) continue;
    for (const auto& size : value.tensor->sizes)
      if (!size.known()) bind(size.expr());
  }
  return sizes;
}

Result<Value> zero(const treadle::GraphValue& value, const treadle::Bindings& sizes) {
  if (value.tensor) {
    treadle::Dims dims;
    for (const auto& size : value.tensor->sizes) {
      TREADLE_TRY(const auto number, treadle::evaluate(size, sizes));
      dims.push_back(number);
    }
    TREADLE_TRY(auto tensor, Tensor::zeros(value.tensor->dtype, dims));
    return Value(std::move(tensor));
  }
  if (value.kind == treadle::ValueKind::sym_float) return Value(0.0);
  if (value.kind == treadle::ValueKind::sym_bool) return Value(false);
  if (value.kind != treadle::ValueKind::sym_int) return Value();
  if (!value.symbolic) return Value(2);
  TREADLE_TRY(const auto number, treadle::evaluate(treadle::SymInt(value.symbolic), sizes));
  return Value(number);
}

Result<std::vector<Value>> zeros(const treadle::GraphModule& module,
                                 const std::vector<UserInput>& inputs) {
  const auto sizes = smallest_sizes(module);
  std::vector<Value> values;
  for (const auto& input : inputs) {
    if (!input.value.valid()) {
      values.emplace_back();
      continue;
    }
    auto value = zero(module.graph.value(input.value), sizes);
    if (!value)
      return std::move(value).with_context(fmt::format("zeros for input '{}'", input.name)).error();
    values.push_back(*std::move(value));
  }
  return values;
}

}  // namespace

Result<Inputs> Inputs::make(const ExportedArchive& archive, const std::optional<std::string>& npz) {
  const auto inputs = user_inputs(archive.module);
  Inputs made;
  if (npz) {
    made.origin_ = *npz;
    TREADLE_TRY(const auto arrays, treadle::read_npz(*npz));
    TREADLE_TRY(made.values_, from_arrays(arrays, inputs).with_context(*npz));
  } else if (!archive.sample_inputs.empty()) {
    made.origin_ = "the file's samples";
    TREADLE_TRY(made.values_, from_samples(archive, inputs));
  } else {
    made.origin_ = "zeros";
    TREADLE_TRY(made.values_, zeros(archive.module, inputs));
  }
  return made;
}

Result<std::optional<Inputs>> Inputs::among(const ExportedArchive& archive,
                                            const std::vector<NamedArray>& all,
                                            const std::string& origin) {
  std::vector<NamedArray> own;
  for (const auto& array : all)
    if (input_number(array.first)) own.push_back(array);
  if (own.empty()) return std::optional<Inputs>();
  Inputs made;
  made.origin_ = origin;
  TREADLE_TRY(made.values_, from_arrays(own, user_inputs(archive.module)).with_context(origin));
  return std::optional<Inputs>(std::move(made));
}

Result<std::vector<Value>> Inputs::fresh() const {
  std::vector<Value> copies;
  for (const auto& value : values_) {
    TREADLE_TRY(auto copy, copy_of(value));
    copies.push_back(std::move(copy));
  }
  return copies;
}

}  // namespace tool
