// Reads pickles of tensors without running them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// Kinds of values in a pickle.
enum class PickleKind : std::uint8_t {
  none,
  boolean,
  integer,
  floating,
  string,
  bytes,
  tuple,
  list,
  dict,  ///< ordered, as `collections.OrderedDict` too
  size,  ///< `torch.Size`
  tensor,
  device,
  dtype,
  layout,
  memory_format,
  object,       ///< an instance of a class that the reader does not know
  storage,      ///< a persistent id; only inside the reader
  constructor,  ///< a name that stands for a class or function; only inside the reader
};

[[nodiscard]] std::string_view name(PickleKind kind) noexcept;

/// What the reader does with instances of classes that it does not know.
enum class PickleObjects : std::uint8_t {
  refuse,
  keep,  ///< as values of kind `object`: nothing of the class is run
};

/// A tensor of a pickle: metadata in elements, and the storage that it is a view of.
struct PickledTensor {
  TensorMeta meta;
  Bytes storage;                   ///< the whole storage; empty until `read_torch_save` fills it
  std::string storage_key;         ///< tensors with the same key share their storage
  std::uint64_t storage_size = 0;  ///< bytes that the pickle says the storage has
  bool requires_grad = false;
  bool is_parameter = false;
};

namespace detail {

/// One value; what its fields mean depends on the kind.
struct PickleNode {
  PickleKind kind = PickleKind::none;
  std::uint8_t code = 0;     ///< an enumerator: dtype, layout, device type, constructor …
  std::int64_t integer = 0;  ///< integer, boolean, device index, or position of a tensor
  double real = 0;
  std::string_view text;             ///< a view into the tree's source
  std::vector<std::uint32_t> items;  ///< children; keys and values of a dict alternate
};

/// All values of a pickle: an acyclic graph by position, so that nothing recurses.
struct PickleTree {
  Bytes source;
  std::vector<PickleNode> nodes;
  std::vector<PickledTensor> tensors;
};

}  // namespace detail

/// A value of a pickle: a cheap handle that keeps the whole tree alive. Trees are immutable, of
/// bounded depth and size.
class PickleValue {
 public:
  /// None.
  PickleValue();
  PickleValue(std::shared_ptr<const detail::PickleTree> tree, std::uint32_t position) noexcept
      : tree_(std::move(tree)), position_(position) {}

  [[nodiscard]] PickleKind kind() const noexcept { return node().kind; }
  [[nodiscard]] bool is_none() const noexcept { return kind() == PickleKind::none; }

  /// The value if it is of that kind.
  [[nodiscard]] std::optional<bool> as_bool() const noexcept;
  [[nodiscard]] std::optional<std::int64_t> as_int() const noexcept;
  [[nodiscard]] std::optional<double> as_double() const noexcept;
  /// Valid as long as any value of this pickle.
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept;
  [[nodiscard]] std::optional<std::string_view> as_bytes() const noexcept;
  [[nodiscard]] std::optional<Device> as_device() const noexcept;
  [[nodiscard]] std::optional<DType> as_dtype() const noexcept;
  [[nodiscard]] std::optional<Layout> as_layout() const noexcept;
  [[nodiscard]] std::optional<MemoryFormat> as_memory_format() const noexcept;
  [[nodiscard]] const PickledTensor* as_tensor() const noexcept;

  /// Items of a tuple, list, size or object; pairs of a dict; 0 for all else. An object's are what
  /// its class is called with, such as a named tuple's fields, and then its attributes' values.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Item `i` of a tuple, list, size or object, value `i` of a dict. `i` must be below `size()`.
  [[nodiscard]] PickleValue item(std::size_t i) const noexcept;
  /// Key `i` of a dict.
  [[nodiscard]] PickleValue key(std::size_t i) const noexcept;
  /// The last value with this string key of a dict. Linear in its size.
  [[nodiscard]] std::optional<PickleValue> find(std::string_view key) const noexcept;

 private:
  [[nodiscard]] const detail::PickleNode& node() const noexcept { return tree_->nodes[position_]; }

  std::shared_ptr<const detail::PickleTree> tree_;
  std::uint32_t position_ = 0;
};

/// Reads a pickle of protocol 2 to 5 made of plain containers, numbers, strings and the
/// constructors that tensors need. Anything else is refused with its name: nothing is imported or
/// called. `objects` may keep instances of other classes as data. Storages stay references
/// (`PickledTensor::storage` is empty). Strings are views into `file`. Errors: `corrupt_file`,
/// `unsupported_file`, `limit_exceeded`.
[[nodiscard]] Result<PickleValue> read_pickle(Bytes file, const LoadLimits& limits = {},
                                              PickleObjects objects = PickleObjects::refuse);

namespace detail {
/// The tree of `read_pickle`, still writable, with the position of its root.
[[nodiscard]] Result<std::pair<std::shared_ptr<PickleTree>, std::uint32_t>> read_pickle_tree(
    Bytes file, const LoadLimits& limits, PickleObjects objects);
}  // namespace detail

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/pickle-inl.hpp>
#endif
