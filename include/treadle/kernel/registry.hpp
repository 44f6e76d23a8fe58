// Which kernel computes which operator on one backend.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <treadle/core/erased.hpp>
#include <treadle/core/result.hpp>
#include <treadle/kernel/bind.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0 {

/// A kernel behind a uniform interface.
template <TensorBackend Backend>
struct KernelEntry {
  using Tensor = typename Backend::Tensor;
  /// Runs with what `prepare` made. `tensors` are the call's tensors in schema order, lists
  /// flattened, null for None, then the results.
  using Run = Status (*)(const void* prepared, RunContext<Backend>& context,
                         Tensor* const* tensors);
  using Prepare = Result<Erased> (*)(const void* kernel, PrepareContext<Backend>& context);

  std::string_view schema;  ///< constant text
  Erased kernel;
  Prepare prepare = nullptr;
  Run run = nullptr;
  /// The result may be the memory of any argument that has its metadata: each element is written
  /// after the arguments' elements of its place were read for the last time. Used for elementwise
  /// operators, whose results then need no memory of their own.
  bool in_place = false;
};

/// A set of kernels, as a value: copy it, add to it, merge it. Adding an operator that is there
/// replaces its kernel.
template <TensorBackend Backend>
class KernelRegistry {
 public:
  /// Binds a kernel to an operator. The schema is read at compile time; a kernel that does not fit
  /// it does not compile. A kernel is either
  /// - a callable `Status(RunContext<B>&, arguments…, results…)`, or
  /// - an object with a member type `Prepared`, `prepare(PrepareContext<B>&, arguments…, results…)
  /// ->
  ///   Result<Prepared>` and `run(const Prepared&, RunContext<B>&, tensor arguments…, results…) ->
  ///   Status`, where `prepare` does everything that does not depend on element values.
  ///
  /// | schema type     | callable and `run`               | `prepare`                        |
  /// |-----------------|----------------------------------|----------------------------------|
  /// | `Tensor`        | `const Tensor&`                  | `const TensorInfo<B>&`           |
  /// | `Tensor(a!)`    | `Tensor&`                        | `const TensorInfo<B>&`           |
  /// | `Tensor?`       | `const Tensor*`                  | `const TensorInfo<B>&`           |
  /// | `Tensor[]`, `Tensor?[]` | `std::span<const Tensor* const>` | `std::span<const
  /// TensorInfo<B>>` | | results         | `Tensor&`, lists `std::span<Tensor* const>` | `const
  /// TensorInfo<B>&`, lists a span | | `int`, `float`, `bool`, `Scalar` | `std::int64_t`, `double`,
  /// `bool`, `Scalar` | the same (not in `run`) | | `str`           | `std::string_view` | the same
  /// | | `int[]`, `float[]`, `bool[]`, `Scalar[]` | `std::span<const T>` (`bool`: `std::uint8_t`) |
  /// the same | | `ScalarType`, `Device`, `Layout`, `MemoryFormat` | our enums       | the same |
  /// | `T?`            | `std::optional<T>`               | the same                         |
  /// | `Generator?`    | nothing: see `RunContext::random` | nothing                         |
  ///
  /// Results that are the written argument itself (`-> Tensor(a!)`) have no parameter.
  template <FixedString SchemaText, class Kernel>
  KernelRegistry& add(Kernel kernel) {
    using Binding = detail::KernelBinding<Backend, detail::call_shape<SchemaText>(), Kernel>;
    constexpr std::string_view schema = SchemaText.view();
    bool in_place = false;
    if constexpr (requires { Kernel::in_place; }) in_place = Kernel::in_place;
    return add_entry({schema, make_erased(Binding::register_as(schema, std::move(kernel))),
                      &detail::prepare_call<Backend>, &Binding::run, in_place});
  }

  /// Adds a kernel that reads its arguments itself, as table-driven families do. `entry.schema`
  /// must outlive the registry; `entry.prepare` and `entry.run` must not be null.
  KernelRegistry& add_entry(KernelEntry<Backend> entry) {
    by_name_.insert_or_assign(std::string(schema_name(entry.schema)), std::move(entry));
    return *this;
  }

  /// Takes over all kernels of `other`; they replace those of the same operator here.
  KernelRegistry& merge(const KernelRegistry& other) {
    for (const auto& [name, entry] : other.by_name_) by_name_.insert_or_assign(name, entry);
    return *this;
  }

  /// The kernel of `aten::add.Tensor`, or null. Valid until the registry changes.
  [[nodiscard]] const KernelEntry<Backend>* find(std::string_view name) const {
    const auto found = by_name_.find(std::string(name));
    return found == by_name_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return by_name_.size(); }
  [[nodiscard]] auto begin() const noexcept { return by_name_.begin(); }
  [[nodiscard]] auto end() const noexcept { return by_name_.end(); }

 private:
  std::unordered_map<std::string, KernelEntry<Backend>> by_name_;
};

}  // namespace treadle::inline v0
