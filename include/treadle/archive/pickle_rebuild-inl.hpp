// What the known constructors of a pickle make of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/archive/failure.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/pickle.hpp>
#include <treadle/archive/pickle_constructors-inl.hpp>
#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/parse_device.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {
namespace detail::pickle {

/// Makes values from constructors and arguments; adds tensors to the tree.
class Rebuilder {
 public:
  Rebuilder(PickleTree& tree, const LoadLimits& limits) noexcept : tree_(tree), limits_(limits) {}

  /// The value of `constructor(*arguments)`.
  [[nodiscard]] Result<PickleNode> call(const PickleNode& constructor, const PickleNode& tuple) {
    const Arguments arguments(tuple.items);
    switch (static_cast<Constructor>(constructor.code)) {
      case Constructor::ordered_dict: return ordered_dict(arguments);
      case Constructor::default_dict: return ordered_dict({});
      case Constructor::deque: return deque(arguments);
      case Constructor::size: return size(arguments);
      case Constructor::device: return device(arguments);
      case Constructor::get_layout: return layout(arguments);
      case Constructor::rebuild_tensor:
      case Constructor::rebuild_tensor_v2: return tensor(arguments, false);
      case Constructor::rebuild_tensor_v3: return tensor(arguments, true);
      case Constructor::rebuild_parameter: return parameter(arguments);
      case Constructor::rebuild_from_type: return from_type(arguments);
      case Constructor::tensor_type:
      case Constructor::storage_type: break;
      case Constructor::unknown_class: return object(constructor, arguments);
    }
    return unsupported_file("a class of torch is called, which is not read");
  }

  /// The storage that `('storage', class, key, location, count)` names.
  [[nodiscard]] Result<PickleNode> storage(const PickleNode& id) const {
    const Arguments arguments(id.items);
    if (id.kind != PickleKind::tuple || arguments.size() != 5 ||
        !is(arguments[0], PickleKind::string) || at(arguments[0]).text != "storage" ||
        !is(arguments[1], PickleKind::constructor) ||
        static_cast<Constructor>(at(arguments[1]).code) != Constructor::storage_type ||
        !is(arguments[2], PickleKind::string) || !is(arguments[3], PickleKind::string) ||
        !is(arguments[4], PickleKind::integer))
      return corrupt_file("a persistent id is not ('storage', class, key, location, count)");
    constexpr std::size_t longest_key = 256;
    if (at(arguments[2]).text.size() > longest_key || at(arguments[4]).integer < 0)
      return corrupt_file("a storage has a negative size or a name above ", longest_key, " bytes");
    PickleNode node;
    node.kind = PickleKind::storage;
    node.items = id.items;
    return node;
  }

 private:
  using Arguments = std::span<const std::uint32_t>;

  [[nodiscard]] const PickleNode& at(std::uint32_t position) const noexcept {
    return tree_.nodes[position];
  }
  [[nodiscard]] bool is(std::uint32_t position, PickleKind kind) const noexcept {
    return at(position).kind == kind;
  }
  [[nodiscard]] static Error wrong_arguments(std::string_view function) {
    return corrupt_file(function, " has other arguments than PyTorch writes");
  }

  [[nodiscard]] Result<PickleNode> ordered_dict(Arguments arguments) const {
    PickleNode node;
    node.kind = PickleKind::dict;
    if (arguments.empty()) return node;
    if (arguments.size() != 1 ||
        (!is(arguments[0], PickleKind::list) && !is(arguments[0], PickleKind::tuple)))
      return wrong_arguments("collections.OrderedDict");
    for (const auto pair : at(arguments[0]).items) {
      const auto& items = at(pair).items;
      if ((!is(pair, PickleKind::list) && !is(pair, PickleKind::tuple)) || items.size() != 2)
        return wrong_arguments("collections.OrderedDict");
      node.items.insert(node.items.end(), items.begin(), items.end());
    }
    return node;
  }

  /// (items, greatest length), both optional; pickles mostly append the items afterwards.
  [[nodiscard]] Result<PickleNode> deque(Arguments arguments) const {
    PickleNode node;
    node.kind = PickleKind::list;
    if (arguments.empty()) return node;
    if (!is(arguments[0], PickleKind::list) && !is(arguments[0], PickleKind::tuple))
      return wrong_arguments("collections.deque");
    node.items = at(arguments[0]).items;
    return node;
  }

  [[nodiscard]] static Result<PickleNode> object(const PickleNode& type, Arguments arguments) {
    PickleNode node;
    node.kind = PickleKind::object;
    node.text = type.text;
    node.items.assign(arguments.begin(), arguments.end());
    return node;
  }

  [[nodiscard]] Result<PickleNode> size(Arguments arguments) const {
    if (arguments.size() != 1 || !dims(arguments[0])) return wrong_arguments("torch.Size");
    PickleNode node;
    node.kind = PickleKind::size;
    node.items = at(arguments[0]).items;
    return node;
  }

  [[nodiscard]] Result<PickleNode> device(Arguments arguments) const {
    if (arguments.empty() || arguments.size() > 2 || !is(arguments[0], PickleKind::string))
      return wrong_arguments("torch.device");
    auto parsed = parse_device(at(arguments[0]).text);
    if (parsed && arguments.size() == 2) {
      const auto& index = at(arguments[1]);
      if (index.kind != PickleKind::integer || index.integer < 0 ||
          index.integer > std::numeric_limits<std::int16_t>::max())
        return wrong_arguments("torch.device");
      parsed->index = static_cast<std::int16_t>(index.integer);
    }
    if (!parsed) return wrong_arguments("torch.device");
    PickleNode node;
    node.kind = PickleKind::device;
    node.code = static_cast<std::uint8_t>(parsed->type);
    node.integer = parsed->index;
    return node;
  }

  [[nodiscard]] Result<PickleNode> layout(Arguments arguments) const {
    if (arguments.size() != 1 || !is(arguments[0], PickleKind::string))
      return wrong_arguments("torch.serialization._get_layout");
    const auto parsed = parse_layout(at(arguments[0]).text);
    if (!parsed)
      return unsupported_file("layout ", in_quotes(at(arguments[0]).text), " is not known");
    PickleNode node;
    node.kind = PickleKind::layout;
    node.code = static_cast<std::uint8_t>(*parsed);
    return node;
  }

  /// The integers of a tuple, list or size, if it is one and not longer than any tensor's.
  [[nodiscard]] std::optional<Dims> dims(std::uint32_t position) const {
    const auto& node = at(position);
    if ((node.kind != PickleKind::tuple && node.kind != PickleKind::list &&
         node.kind != PickleKind::size) ||
        node.items.size() > limits_.max_rank)
      return std::nullopt;
    Dims out;
    for (const auto item : node.items) {
      if (!is(item, PickleKind::integer)) return std::nullopt;
      out.push_back(at(item).integer);
    }
    return out;
  }

  /// True if `metadata` asks for nothing: None, or a dictionary whose values are all False.
  [[nodiscard]] bool is_plain(std::uint32_t metadata) const {
    const auto& node = at(metadata);
    if (node.kind == PickleKind::none) return true;
    if (node.kind != PickleKind::dict) return false;
    for (std::size_t i = 1; i < node.items.size(); i += 2)
      if (!is(node.items[i], PickleKind::boolean) || at(node.items[i]).integer != 0) return false;
    return true;
  }

  /// (storage, offset, sizes, strides, requires_grad, hooks, [dtype,] [metadata])
  [[nodiscard]] Result<PickleNode> tensor(Arguments arguments, bool has_dtype) {
    constexpr std::string_view function = "a tensor of torch._utils";
    const std::size_t least = has_dtype ? 7 : 4;
    if (arguments.size() < least || arguments.size() > (has_dtype ? 8u : 7u) ||
        !is(arguments[0], PickleKind::storage) || !is(arguments[1], PickleKind::integer) ||
        (has_dtype && !is(arguments[6], PickleKind::dtype)))
      return wrong_arguments(function);
    auto sizes = dims(arguments[2]);
    auto strides = dims(arguments[3]);
    if (!sizes || !strides || sizes->size() != strides->size()) return wrong_arguments(function);
    if (const std::size_t last = has_dtype ? 7 : 6;
        arguments.size() > last && !is_plain(arguments[last]))
      return unsupported_file("tensors with metadata such as a conjugate bit are not read");
    const Arguments id(at(arguments[0]).items);
    PickledTensor tensor;
    TensorMeta& meta = tensor.meta;
    const auto typed = static_cast<DType>(at(id[1]).integer);
    meta.dtype = has_dtype ? static_cast<DType>(at(arguments[6]).code) : typed;
    meta.storage_offset = at(arguments[1]).integer;
    meta.sizes = std::move(*sizes);
    meta.strides = std::move(*strides);
    const auto device = parse_device(at(id[3]).text);
    meta.device = device ? *device : Device{DeviceType::other, -1};
    tensor.storage_key = at(id[2]).text;
    if (meta.dtype == DType::undefined || (has_dtype && typed != DType::undefined))
      return corrupt_file("a tensor has no dtype, or its storage has one too");
    const std::uint64_t unit = typed == DType::undefined ? 1 : size_of(typed);
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(at(id[4]).integer), unit,
                               &tensor.storage_size))
      return corrupt_file("storage ", in_quotes(tensor.storage_key), " is too large");
    tensor.requires_grad = arguments.size() > 4 && is(arguments[4], PickleKind::boolean) &&
                           at(arguments[4]).integer != 0;
    return add(std::move(tensor));
  }

  [[nodiscard]] Result<PickleNode> add(PickledTensor tensor) {
    const auto bytes = storage_bytes(tensor.meta);
    if (!bytes || *bytes > tensor.storage_size)
      return corrupt_file("a tensor ", to_string(tensor.meta), " with strides ",
                          tensor.meta.strides, " and offset ", tensor.meta.storage_offset,
                          " does not fit its storage ", in_quotes(tensor.storage_key), " of ",
                          tensor.storage_size, " bytes");
    if (element_count(tensor.meta) > limits_.max_tensor_elements)
      return limit_exceeded("a tensor ", to_string(tensor.meta), " has more elements than ",
                            "max_tensor_elements, ", limits_.max_tensor_elements);
    PickleNode node;
    node.kind = PickleKind::tensor;
    node.integer = static_cast<std::int64_t>(tree_.tensors.size());
    tree_.tensors.push_back(std::move(tensor));
    return node;
  }

  /// (tensor, requires_grad, hooks), or these and attributes of the Python object, left out.
  [[nodiscard]] Result<PickleNode> parameter(Arguments arguments) {
    if ((arguments.size() != 3 && arguments.size() != 4) || !is(arguments[0], PickleKind::tensor) ||
        !is(arguments[1], PickleKind::boolean))
      return wrong_arguments("torch._utils._rebuild_parameter");
    PickledTensor tensor = tree_.tensors[static_cast<std::size_t>(at(arguments[0]).integer)];
    tensor.is_parameter = true;
    tensor.requires_grad = at(arguments[1]).integer != 0;
    return add(std::move(tensor));
  }

  /// (function, class, arguments, attributes): attributes, such as marks of dynamic dimensions, are
  /// left out.
  [[nodiscard]] Result<PickleNode> from_type(Arguments arguments) {
    const auto calls = [&](std::size_t i, auto... constructors) {
      return is(arguments[i], PickleKind::constructor) &&
             ((static_cast<Constructor>(at(arguments[i]).code) == constructors) || ...);
    };
    if (arguments.size() != 4 || !is(arguments[2], PickleKind::tuple) ||
        !calls(0, Constructor::rebuild_tensor, Constructor::rebuild_tensor_v2,
               Constructor::rebuild_tensor_v3) ||
        !calls(1, Constructor::tensor_type))
      return wrong_arguments("torch._tensor._rebuild_from_type_v2");
    return call(at(arguments[0]), at(arguments[2]));
  }

  PickleTree& tree_;
  const LoadLimits& limits_;
};

}  // namespace detail::pickle
}  // namespace treadle::inline v0
